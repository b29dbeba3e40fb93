import { ensureConsoleBuilt } from '../../../../scripts/build.ts'
import { both } from './both.ts'
import { readConfig, withSecretFiles, ConfigError, type Config } from '../config.ts'
import type { Store } from '../db/store.ts'
import { createLog } from '../log.ts'
import { startServer } from '../server.ts'
import { CommandError, runCommand, stopOnSignals } from './run-command.ts'

await runCommand(async () => {
  const config = readConfig(withSecretFiles(process.env), 'production')
  demandProduction(config)
  // The page of this version, or the one that an installer has built where nothing may be written.
  if (!process.env['CONSOLE_DEV']) await ensureConsoleBuilt((message) => process.stderr.write(`${message}\n`))
  const log = createLog(config)
  const running = await startServer(config, log, { prepare: refuseDemo })
  stopOnSignals(running.close)
  log.info({ address: running.address }, 'listening')
})

function demandProduction(config: Config): void {
  if (config.ENV_TYPE === 'demo')
    throw new ConfigError('ENV_TYPE must not be demo here: npm start shows the demo school')
  if (!config.SECRET) {
    throw new ConfigError(
      'SECRET must be set: at least 32 characters that nobody else knows, for instance from `openssl rand -base64 32`, or SECRET_FILE with a file that holds it',
    )
  }
}

async function refuseDemo(store: Store): Promise<void> {
  const schools = await store.everySchool.selectFrom('school').select('kind').execute()
  if (schools.some((school) => school.kind === 'demo')) throw new CommandError(both('server.serve.demoData'))
  if (schools.length === 0) process.stderr.write(`${both('server.serve.noAdministrator')}\n`)
}
