import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CommandError } from '../commands/run-command.ts'
import type { Config } from '../config.ts'
import { migrate, steps } from '../db/migrate.ts'
import type { ObjectStore } from '../objects/objects.ts'
import { folderObjects, folderSource, listedFiles, readManifest, verifyFolder, type Manifest } from './backup-folder.ts'
import { replaceAll, withSnapshot, type Place, type Print, type Replaced, type TableSource } from './copy.ts'
import { copyFile, eachFile, isWhole } from './files.ts'
import { openScratch } from './open-place.ts'

export type Restore = {
  folder: string
  environment: Config['ENV_TYPE']
  /** Opened only when the backup has proved sound. */
  open: () => Promise<Place>
  objects: ObjectStore
  print: Print
}

/** Looks at every byte of the backup first; then the files, which are in nobody's way; then all rows at once. */
export async function restoreBackup({ folder, environment, open, objects, print }: Restore): Promise<Replaced> {
  const manifest = await readManifest(folder)
  demandKnown(manifest)
  await verifyFolder(folder, manifest, print)
  const source = folderSource(folder, manifest)
  if (environment === 'production') await refuseDemo(source)
  const place = await open()
  await restoreFiles(folder, objects, print)
  const replaced = await withCurrentRows(manifest, source, (current) => replaceAll(place, current, print))
  for (const key of manifest.lost) print(`  lost before the backup was taken: ${key}`)
  return replaced
}

function demandKnown({ migration }: Manifest): void {
  if (migration in steps) return
  const latest = Object.keys(steps).at(-1)
  throw new CommandError(
    `This backup was taken by a newer version (its database is at ${migration}, this one knows up to ${latest}). Install that version first.`,
  )
}

async function refuseDemo(source: TableSource): Promise<void> {
  for await (const rows of source.rows('school')) {
    if (!rows.some((row) => row['kind'] === 'demo')) continue
    throw new CommandError(
      'This backup holds the demo school, whose passwords everybody knows. It is not restored where ENV_TYPE is production; for a look at it set ENV_TYPE=demo.',
    )
  }
}

/** What lies there under the same name may be damaged: that may be why somebody restores. */
async function restoreFiles(folder: string, objects: ObjectStore, print: Print): Promise<void> {
  const backup = folderObjects(folder)
  let written = 0
  const count = await eachFile(listedFiles(folder), async (file) => {
    if (await isWhole(objects, file)) return
    if (!(await copyFile(backup, objects, file)))
      throw new CommandError(`The file ${file.key} changed while it was restored. The rows were not touched.`)
    written += 1
    if (written % 1000 === 0) print(`  ${written} files written`)
  })
  print(`  ${count} files, ${written} of them written`)
}

/** An older backup goes through a database of its own age, where the migrations since then run over its rows. */
async function withCurrentRows<T>(
  { migration }: Manifest,
  source: TableSource,
  work: (current: TableSource) => Promise<T>,
): Promise<T> {
  if (migration === Object.keys(steps).at(-1)) return work(source)
  const folder = await mkdtemp(join(tmpdir(), 'console-restore-'))
  const scratch = await openScratch(join(folder, 'scratch.db'))
  try {
    await migrate(scratch.db, 'sqlite', migration)
    await replaceAll(scratch, source, () => undefined)
    await migrate(scratch.db, 'sqlite')
    return await withSnapshot(scratch, work)
  } finally {
    await scratch.close()
    await rm(folder, { recursive: true, force: true })
  }
}
