import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { change } from '../src/db/change.ts'
import { newId } from '../src/db/ids.ts'
import type { Store } from '../src/db/store.ts'
import { takeBackup } from '../src/operation/backup.ts'
import { digestsOf, withSnapshot, type Digests, type Place } from '../src/operation/copy.ts'
import type { Row } from '../src/operation/canonical.ts'
import type { Manifest } from '../src/operation/backup-folder.ts'
import type { Services } from '../src/services.ts'

export const quiet = (): void => undefined
export const placeOf = ({ engine, everySchool }: Store): Place => ({ engine, db: everySchool })
export const digests = (place: Place): Promise<Digests> => withSnapshot(place, digestsOf)

export async function collected(chunks: AsyncIterable<Row[]>): Promise<Row[]> {
  const all: Row[] = []
  for await (const rows of chunks) all.push(...rows)
  return all
}

/** Every row of every table, for a comparison that does not trust a checksum. */
export function allRows(place: Place): Promise<Record<string, Row[]>> {
  return withSnapshot(place, async (source) => {
    const tables: Record<string, Row[]> = {}
    for (const name of source.names) tables[name] = await collected(source.rows(name))
    return tables
  })
}

export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'console-copy-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

export function backUp(services: Services, folder: string): Promise<Manifest> {
  return takeBackup({
    place: placeOf(services.store),
    objects: services.objects.store,
    folder,
    now: Date.now(),
    print: quiet,
  })
}

const actor = { userId: null, requestId: 'test', address: 'local' }

/** A row and its audit entry by the same id, as every change of the console is made. */
export async function addGrade(store: Store, schoolId: string, name: string): Promise<string> {
  const id = newId()
  await change(
    store,
    schoolId,
    actor,
    { action: 'grade.add', targetKind: 'grade', targetId: id, data: { name } },
    (db) => db.insertInto('grade').values({ id, name, sort: 1, isTraining: false }).execute(),
  )
  return id
}

/** What the two engines could take for different things: line separators, quotes, empty texts, fractions, null, nested JSON. */
export async function addOddRows(store: Store, schoolId: string): Promise<void> {
  const db = store.school(schoolId)
  const now = Date.now()
  const odd = { z: 1, a: { d: [1.5, null, '\u2028\n"', { b: true, a: false }], c: '数学' }, 10: 'ten', 9: 'nine' }
  await db
    .insertInto('setting')
    .values([
      { name: 'odd', valueJson: odd },
      { name: 'text', valueJson: 'plain' },
      { name: '', valueJson: [0.1, 1e21, -0] },
    ])
    .execute()
  await db.insertInto('grade').values({ id: newId(), name: '𠮷 "x"\u2028\r\n\t', sort: -3, isTraining: true }).execute()
  await db
    .insertInto('paperSize')
    .values({ id: newId(), name: 'odd', widthMm: 210.5, heightMm: 297, sort: 9 })
    .execute()
  const job = {
    kind: 'none',
    userId: null,
    uniqueKey: null,
    dataJson: {},
    resultJson: null,
    progress: 0.25,
    attempt: 1,
    maxAttempts: 3,
    runAt: now + 3_600_000,
    isCancelAsked: false,
    createdAt: now,
  }
  await db
    .insertInto('job')
    .values([
      { ...job, id: newId(), state: 'running', leaseOwner: 'another', leaseUntil: now + 3_600_000 },
      { ...job, id: newId(), state: 'done', resultJson: { ok: true }, finishedAt: now },
    ])
    .execute()
  const upload = { userId: newId(), name: 'a.pdf', size: 10, createdAt: now, expiresAt: now + 1000 }
  await db
    .insertInto('upload')
    .values([
      { ...upload, id: newId(), state: 'open', received: 3 },
      { ...upload, id: newId(), state: 'complete', received: 10, hash: 'h', type: 'application/pdf' },
    ])
    .execute()
}

/** By what a second process finds the same database; null where the stand-in lives in this one's memory. */
export async function environmentOf({ store, config }: Services): Promise<Record<string, string>> {
  if (store.engine === 'postgres') {
    if (!config.DATABASE_URL) throw new Error('no other process reaches this database')
    return { DATABASE_URL: config.DATABASE_URL, DATA_DIR: config.DATA_DIR }
  }
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(store.everySchool)
  const folder = dirname(rows[0]?.file ?? '')
  // The test server keeps its files in another folder than its database.
  await symlink(join(config.DATA_DIR, 'files'), join(folder, 'files')).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return { DATA_DIR: folder }
}

const fileOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))
export const commandFile = (name: string): string => fileOf(`../src/commands/${name}.ts`)
export const childFile = (name: string): string => fileOf(`./${name}.ts`)

export type Child = {
  process: ChildProcess
  said: () => string
  says: (text: string) => Promise<void>
  ended: Promise<number | null>
}

/** Another process; what it says can be waited for. */
export function startChild(file: string, args: readonly string[], env: Record<string, string>): Child {
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file, ...args], {
    env: { ...inherited, LOG_LEVEL: 'silent', ENV_TYPE: 'test', ...env },
  })
  let output = ''
  const waiting = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    said: () => output,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => output.includes(text) && resolve()
        waiting.add(look)
        look()
        void ended.then(() => reject(new Error(`it ended without saying ${text}: ${output}`)))
      }),
  }
}
