import { join, resolve } from 'node:path'
import { readConfig, withSecretFiles } from '../config.ts'
import { createObjectStore } from '../objects/create-objects.ts'
import type { ObjectStore } from '../objects/objects.ts'
import { readArguments } from '../operation/arguments.ts'
import { takeBackup } from '../operation/backup.ts'
import { openMigrated, type OpenPlace } from '../operation/open-place.ts'
import { restoreBackup } from '../operation/restore.ts'
import { runCommand } from './run-command.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

/** The wrong backup restored is a bad day and not a lost school: what is there now is backed up first. */
async function keepPresent(place: OpenPlace, objects: ObjectStore, dataDir: string): Promise<void> {
  const school = await place.db.selectFrom('school').select('schoolId').executeTakeFirst()
  if (!school) return
  const now = Date.now()
  const folder = join(dataDir, 'backups', `before-restore-${new Date(now).toISOString().replaceAll(':', '-')}`)
  print(`What is there now goes to ${folder} first`)
  await takeBackup({ place, objects, folder, now, print: () => undefined })
}

await runCommand(async () => {
  const [folder = ''] = readArguments('npm run restore -- FOLDER', 1, 1)
  const config = readConfig(withSecretFiles(process.env), 'production')
  let place: OpenPlace | null = null
  const objects = createObjectStore(config)
  const open = async () => {
    place = await openMigrated(config)
    await keepPresent(place, objects, config.DATA_DIR)
    return place
  }
  try {
    print(`Restoring ${resolve(folder)}`)
    await restoreBackup({
      folder: resolve(folder),
      environment: config.ENV_TYPE,
      open,
      objects,
      print,
    })
    print('Done. Everybody signs in again.')
  } finally {
    await (place as OpenPlace | null)?.close()
  }
})
