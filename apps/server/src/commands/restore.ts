import { resolve } from 'node:path'
import { readConfig, withSecretFiles } from '../config.ts'
import { createObjectStore } from '../objects/create-objects.ts'
import { readArguments } from '../operation/arguments.ts'
import { openMigrated, type OpenPlace } from '../operation/open-place.ts'
import { restoreBackup } from '../operation/restore.ts'
import { runCommand } from './run-command.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

await runCommand(async () => {
  const [folder = ''] = readArguments('npm run restore -- FOLDER', 1, 1)
  const config = readConfig(withSecretFiles(process.env), 'production')
  let place: OpenPlace | null = null
  const open = async () => (place = await openMigrated(config))
  try {
    print(`Restoring ${resolve(folder)}`)
    await restoreBackup({
      folder: resolve(folder),
      environment: config.ENV_TYPE,
      open,
      objects: createObjectStore(config),
      print,
    })
    print('Done. Everybody signs in again.')
  } finally {
    await (place as OpenPlace | null)?.close()
  }
})
