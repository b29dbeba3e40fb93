import { readConfig, withSecretFiles, type Config } from '../config.ts'
import { createObjectStore } from '../objects/create-objects.ts'
import { readArguments } from '../operation/arguments.ts'
import { openDataDir } from '../operation/data-dir.ts'
import { moveAll } from '../operation/move.ts'
import { databaseFile, demandFile, openMigrated } from '../operation/open-place.ts'
import { CommandError, runCommand } from './run-command.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)

await runCommand(async () => {
  const [databaseUrl = '', objectsUrl] = readArguments('npm run move -- DATABASE_URL [OBJECTS_URL]', 1, 2)
  const env = withSecretFiles(process.env)
  const config = readConfig(env, 'production')
  if (config.DATABASE_URL)
    throw new CommandError(
      'DATABASE_URL is set, so this installation is in PostgreSQL already. Leave it out and name it as the argument.',
    )
  // The same rules as for the settings that will take their place.
  const target = readConfig(
    { ...env, DATABASE_URL: databaseUrl, ...(objectsUrl ? { OBJECTS_URL: objectsUrl } : {}) },
    'production',
  )
  await demandFile(databaseFile(config))
  const { release } = await openDataDir(config.DATA_DIR)
  try {
    await move(config, target, objectsUrl !== undefined)
  } finally {
    await release()
  }
  print(
    `Done. Start the server with DATABASE_URL${objectsUrl ? ' and OBJECTS_URL' : ''} set to ${objectsUrl ? 'these addresses' : 'this address'}; the files here stay as they are.`,
  )
})

async function move(config: Config, target: Config, withFiles: boolean): Promise<void> {
  const from = await openMigrated(config)
  try {
    const to = await openMigrated(target)
    try {
      const files = withFiles ? { from: createObjectStore(config), to: createObjectStore(target) } : null
      await moveAll({ from, to, files, print })
    } finally {
      await to.close()
    }
  } finally {
    await from.close()
  }
}
