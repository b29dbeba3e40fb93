import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { sql } from 'kysely'
import { CommandError } from '../commands/run-command.ts'
import { syncFolder } from '../objects/folder-store.ts'
import type { ObjectStore } from '../objects/objects.ts'
import {
  fileList,
  folderObjects,
  folderSource,
  formatVersion,
  verifyFolder,
  writeLines,
  writeManifest,
  writeTable,
  type Manifest,
} from './backup-folder.ts'
import type { Row } from './canonical.ts'
import { withSnapshot, type Place, type Print, type TableSource } from './copy.ts'
import { copyFile, eachFile, storedFiles, type StoredFile } from './files.ts'
import { linesOf, type RawDb } from './tables.ts'

export type Backup = { place: Place; objects: ObjectStore; folder: string; now: number; print: Print }

/** Complete and read back, or not there: it grows under another name and gets its own at the end. */
export async function takeBackup({ place, objects, folder, now, print }: Backup): Promise<Manifest> {
  if (await exists(folder)) throw new CommandError(`${folder} is there already. A backup needs a folder of its own.`)
  const draft = join(dirname(folder), `.unfinished-${process.pid}-${basename(folder)}`)
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await mkdir(draft, { mode: 0o700 })
  try {
    const { migration, tables } = await withSnapshot(place, async (source, raw) => ({
      migration: await lastMigration(raw),
      tables: await writeTables(draft, source, print),
    }))
    // The snapshot is over: while it stands, the database keeps every older row, and files may take hours.
    const files = await writeFiles(draft, folderSource(draft, { tables }), objects, print)
    const manifest: Manifest = {
      format: formatVersion,
      migration,
      takenAt: new Date(now).toISOString(),
      engine: place.engine,
      tables,
      ...files,
    }
    await writeManifest(draft, manifest)
    await verifyFolder(draft, manifest, print)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return manifest
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw error
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function lastMigration(raw: RawDb): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name desc limit 1`.execute(
    raw,
  )
  if (!rows[0]) throw new CommandError('The database holds nothing yet: there is nothing to back up.')
  return rows[0].name
}

async function writeTables(draft: string, source: TableSource, print: Print): Promise<Manifest['tables']> {
  const tables: Manifest['tables'] = {}
  for (const name of source.names) {
    const digest = await writeTable(draft, name, inLines(source.rows(name)))
    tables[name] = digest
    print(`  ${name}: ${digest.rows} rows`)
  }
  return tables
}

async function* inLines(chunks: AsyncIterable<readonly Row[]>) {
  for await (const rows of chunks) yield { count: rows.length, lines: linesOf(rows) }
}

/** One file that is damaged where it lies must not keep the rest from being saved: it is named, and the rest goes on. */
async function writeFiles(
  draft: string,
  source: TableSource,
  objects: ObjectStore,
  print: Print,
): Promise<Pick<Manifest, 'files' | 'lost'>> {
  const store = folderObjects(draft)
  const lost = new Set<string>()
  let [count, bytes] = [0, 0]
  await eachFile(storedFiles(source), async (file) => {
    if (!(await copyFile(objects, store, file))) lost.add(file.key)
    count += 1
    bytes += file.size
    if (count % 1000 === 0) print(`  ${count} files, ${megabytes(bytes)} MB`)
  })
  const files = await writeLines(fileList(draft), listLines(source, lost))
  print(`  ${files.rows} files, ${megabytes(bytes)} MB`)
  return { files, lost: [...lost].toSorted() }
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)

async function* listLines(source: TableSource, lost: ReadonlySet<string>) {
  let batch: StoredFile[] = []
  for await (const file of storedFiles(source)) {
    if (lost.has(file.key)) continue
    batch.push(file)
    if (batch.length < 500) continue
    yield { count: batch.length, lines: linesOf(batch) }
    batch = []
  }
  yield { count: batch.length, lines: linesOf(batch) }
}
