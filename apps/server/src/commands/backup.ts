import { join, resolve } from 'node:path'
import { readConfig, withSecretFiles } from '../config.ts'
import { createObjectStore } from '../objects/create-objects.ts'
import { readArguments } from '../operation/arguments.ts'
import { takeBackup } from '../operation/backup.ts'
import { openUnmigrated } from '../operation/open-place.ts'
import { CommandError, runCommand } from './run-command.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Beside a server that runs: it takes no lock and reads one moment of the database. */
await runCommand(async () => {
  const [given] = readArguments('npm run backup -- [FOLDER]', 0, 1)
  const config = readConfig(withSecretFiles(process.env), 'production')
  const now = Date.now()
  const name = new Date(now).toISOString().replaceAll(':', '-')
  const folder = resolve(given ?? join(config.DATA_DIR, 'backups', name))
  const place = await openUnmigrated(config)
  try {
    print(`Backing up to ${folder}`)
    const { lost } = await takeBackup({ place, objects: createObjectStore(config), folder, now, print })
    if (lost.length > 0) {
      throw new CommandError(
        `The backup is complete but for ${lost.length} files that are missing or damaged in the store; its manifest.json names them under "lost".`,
      )
    }
    print(`Done: ${folder}`)
  } finally {
    await place.close()
  }
})
