import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { CommandError } from '../commands/run-command.ts'
import { createFolderStore, syncFolder } from '../objects/folder-store.ts'
import type { Row } from './canonical.ts'
import type { Print, TableSource } from './copy.ts'
import { eachFile, isWhole, type StoredFile } from './files.ts'
import type { Digest } from './tables.ts'

export const formatVersion = 1

const digestShape = z.object({ rows: z.number().int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) })
const manifest = z.object({
  format: z.literal(formatVersion),
  migration: z.string().min(1),
  takenAt: z.iso.datetime(),
  engine: z.enum(['sqlite', 'postgres']),
  tables: z.record(z.string().regex(/^[a-z0-9_]+$/), digestShape),
  /** What files.ndjson.gz lists: a district may have millions, which are no part of one JSON text. */
  files: digestShape,
  /** Files that were already lost or damaged where the backup was taken. */
  lost: z.array(z.string()),
})
export type Manifest = z.infer<typeof manifest>

const tableFile = (folder: string, name: string) => join(folder, 'tables', `${name}.ndjson.gz`)
export const fileList = (folder: string): string => join(folder, 'files.ndjson.gz')
/** The files lie in it under the same keys as in the store. */
export const folderObjects = createFolderStore

/** Lines on the disk, and what they come to. */
export async function writeLines(
  path: string,
  chunks: AsyncIterable<{ count: number; lines: string }>,
): Promise<Digest> {
  const hash = createHash('sha256')
  let rows = 0
  const counted = async function* () {
    for await (const { count, lines } of chunks) {
      rows += count
      hash.update(lines)
      yield lines
    }
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(Readable.from(counted()), createGzip(), createWriteStream(path, { mode: 0o600, flush: true }))
  return { rows, sha256: hash.digest('hex') }
}

export const writeTable = (
  folder: string,
  name: string,
  chunks: AsyncIterable<{ count: number; lines: string }>,
): Promise<Digest> => writeLines(tableFile(folder, name), chunks)

/** Last of all: a folder without it is no backup. */
export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const file = await open(join(folder, 'manifest.json'), 'wx', 0o600)
  await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
  await file.sync()
  await file.close()
  await syncFolder(join(folder, 'tables'))
  await syncFolder(folder)
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new CommandError(`${folder} is not a backup: it has no manifest.json that can be read.`)
  })
  const content = parsed(text)
  const format = z.object({ format: z.number() }).safeParse(content)
  if (format.success && format.data.format > formatVersion) {
    throw new CommandError(
      `This backup has format ${format.data.format}, and this version reads up to ${formatVersion}. Restore it with the newer version that wrote it.`,
    )
  }
  const result = manifest.safeParse(content)
  if (!result.success) throw new CommandError(`The manifest of ${folder} is damaged. Nothing was changed.`)
  return result.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const batchLines = 500

/** Rows as they were written; what they come to is told when the last was read. */
async function* readLines(path: string, done: (digest: Digest) => void): AsyncGenerator<Row[]> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk)
      next(null, chunk)
    },
  })
  const flow = pipeline(createReadStream(path), createGunzip(), hashed)
  // Its failure reaches the reader through the stream; here it would only be told twice.
  flow.catch(() => undefined)
  const rows: Row[] = []
  let pending = ''
  let count = 0
  hashed.setEncoding('utf8')
  for await (const text of hashed as AsyncIterable<string>) {
    const lines = (pending + text).split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) {
      rows.push(JSON.parse(line) as Row)
      count += 1
      if (rows.length >= batchLines) yield rows.splice(0)
    }
  }
  if (rows.length > 0) yield rows
  done({ rows: count, sha256: hash.digest('hex') })
}

/** Checked once more as it is read: between the look at the whole and the last row a disk may fail. */
export function folderSource(folder: string, { tables }: Pick<Manifest, 'tables'>): TableSource {
  return {
    names: Object.keys(tables).toSorted(),
    rows: (name) => readLines(tableFile(folder, name), (found) => demandSame(name, found, tables[name])),
  }
}

function demandSame(name: string, found: Digest | null, expected: Digest | undefined): void {
  const isSame = found !== null && found.rows === expected?.rows && found.sha256 === expected.sha256
  if (!isSame) throw new CommandError(`The backup is damaged: ${name} is not what the manifest says.`)
}

/** Untyped in the list, so each is looked at: a key leads into a store. */
const storedFile = z.object({
  key: z.string().regex(/^objects\/[0-9a-f-]{36}\/[0-9a-f]{2}\/[0-9a-f]{64}$/),
  hash: z.string(),
  size: z.number().int().min(0),
})

export async function* listedFiles(folder: string): AsyncGenerator<StoredFile> {
  for await (const rows of readLines(fileList(folder), () => undefined))
    for (const row of rows) yield storedFile.parse(row)
}

/** Reads every byte of it. What is refused here has changed nothing yet. */
export async function verifyFolder(folder: string, { tables, files }: Manifest, print: Print): Promise<void> {
  for (const [name, expected] of Object.entries(tables)) await verifyLines(tableFile(folder, name), name, expected)
  await verifyLines(fileList(folder), 'the list of files', files)
  const store = folderObjects(folder)
  const count = await eachFile(listedFiles(folder), async (file) => {
    if (!(await isWhole(store, file)))
      throw new CommandError(`The backup is damaged: the file ${file.key} is missing or not what it was.`)
  })
  print(`Checked: ${Object.keys(tables).length} tables, ${count} files.`)
}

async function verifyLines(path: string, name: string, expected: Digest): Promise<void> {
  let found: Digest | null = null
  try {
    for await (const _ of readLines(path, (digest) => (found = digest)));
  } catch (error) {
    throw new CommandError(`The backup is damaged: ${name} cannot be read (${(error as Error).message}).`)
  }
  demandSame(name, found, expected)
}
