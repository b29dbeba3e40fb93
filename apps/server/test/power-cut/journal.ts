import { execFileSync } from 'node:child_process'

export type Kept = 'none' | 'some' | 'torn'
type Record =
  | { kind: 'written'; path: string; offset: number; bytes: Buffer }
  | { kind: 'truncated'; path: string; length: number }
  | { kind: 'synced' | 'unlinked'; path: string }
export type Journal = { records: Record[]; markers: string }

const sector = 512
const kinds = { named: 1, written: 2, truncated: 3, synced: 4, unlinked: 5 }
const headLength = 24

/** The shim as a library, or null where there is no compiler for it. */
export function compileShim(into: string): boolean {
  const source = new URL('./journal.c', import.meta.url).pathname
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', into, source, '-ldl', '-lpthread'], { stdio: 'ignore' })
    return process.platform === 'linux'
  } catch {
    return false
  }
}

/** What the process has acknowledged goes by the same journal, as writes to the file of markers. */
export function readJournal(bytes: Buffer, markers: string): Journal {
  const records: Record[] = []
  const names = new Map<number, string>()
  for (let at = 0; at + headLength <= bytes.length;) {
    const kind = bytes.readUInt32LE(at)
    const number = bytes.readUInt32LE(at + 4)
    const offset = Number(bytes.readBigUInt64LE(at + 8))
    const length = Number(bytes.readBigUInt64LE(at + 16))
    const data = bytes.subarray(at + headLength, at + headLength + length)
    at += headLength + length
    const path = names.get(number) ?? ''
    if (kind === kinds.named) names.set(number, data.toString())
    else if (kind === kinds.written) records.push({ kind: 'written', path, offset, bytes: data })
    else if (kind === kinds.truncated) records.push({ kind: 'truncated', path, length: offset })
    else if (kind === kinds.synced) records.push({ kind: 'synced', path })
    else if (kind === kinds.unlinked) records.push({ kind: 'unlinked', path: data.toString() })
    else throw new Error(`a journal has no ${kind}`)
  }
  return { records, markers }
}

/** A file grows in steps, so that thousands of small writes do not copy it thousands of times. */
class Content {
  #bytes = Buffer.alloc(1 << 16)
  #length = 0
  write(offset: number, bytes: Buffer): void {
    const end = offset + bytes.length
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(end * 2 - this.#bytes.length)])
    bytes.copy(this.#bytes, offset)
    this.#length = Math.max(this.#length, end)
  }
  truncate(length: number): void {
    if (length < this.#length) this.#bytes.fill(0, length, this.#length)
    else this.write(length, Buffer.alloc(0))
    this.#length = length
  }
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }
}

const apply = (content: Content, record: Record) => {
  if (record.kind === 'written') content.write(record.offset, record.bytes)
  else if (record.kind === 'truncated') content.truncate(record.length)
}

/**
 * The files as they could be after a cut behind `upTo` records. What was written before the last sync of its file is
 * there. Of what came later nothing is, or some of it in any order and in sectors, or all up to a write torn in two.
 * A new name and an unlinking are only certain when the directory itself was synced afterwards.
 */
export function filesAfterCut(
  journal: Journal,
  upTo: number,
  kept: Kept,
  random: () => number,
  honoursSync = true,
): Map<string, Buffer> {
  const before = journal.records.slice(0, upTo)
  const namesSynced = honoursSync
    ? before.findLastIndex((record) => record.path === '.' && record.kind === 'synced')
    : -1
  const isLasting = (record: Record) => before.indexOf(record) < namesSynced || random() < 0.5
  const files = new Map<string, Buffer>()
  for (const path of new Set(before.map((record) => record.path))) {
    if (path === '.' || path === journal.markers || path.endsWith('-shm')) continue
    let own = before.filter((record) => record.path === path)
    const unlinked = own.findLast((record) => record.kind === 'unlinked')
    if (unlinked && isLasting(unlinked)) own = own.slice(own.indexOf(unlinked) + 1)
    const [first] = own
    if (!first || !isLasting(first)) continue
    const synced = honoursSync ? own.findLastIndex((record) => record.kind === 'synced') : -1
    const content = new Content()
    for (const record of own.slice(0, synced + 1)) apply(content, record)
    leave(content, own.slice(synced + 1), kept, random)
    files.set(path, content.bytes)
  }
  return files
}

function leave(content: Content, pending: Record[], kept: Kept, random: () => number): void {
  if (kept === 'none') return
  const end = kept === 'torn' ? Math.floor(random() * (pending.length + 1)) : pending.length
  for (const [at, record] of pending.slice(0, end).entries()) {
    if (record.kind !== 'written') {
      if (kept === 'torn' || random() < 0.5) apply(content, record)
      continue
    }
    for (let from = 0; from < record.bytes.length;) {
      // Sectors are counted on the disk, not from where the write began.
      const to = Math.min(record.bytes.length, from + sector - ((record.offset + from) % sector))
      const isThere = kept === 'some' || at === end - 1 ? random() < 0.5 : true
      if (isThere) content.write(record.offset + from, record.bytes.subarray(from, to))
      from = to
    }
  }
}

/** What had been acknowledged when the power went. */
export const markersBefore = ({ records, markers }: Journal, upTo: number): string =>
  records
    .slice(0, upTo)
    .map((record) => (record.kind === 'written' && record.path === markers ? record.bytes.toString() : ''))
    .join('')
