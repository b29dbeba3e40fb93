import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { destination } from 'pino'
import { say, type PhraseKey } from '@console/phrases'
import { ensureConsoleBuilt } from '../../../../scripts/build.ts'
import { readConfig, withSecretFiles, type Config } from '../config.ts'
import { demoAccounts, demoPassword, seedDemo } from '../db/seed/demo.ts'
import type { Store } from '../db/store.ts'
import { createLog } from '../log.ts'
import { startServer } from '../server.ts'
import { makeDataDir } from '../start-failures.ts'
import { both } from './both.ts'
import { CommandError, runCommand, stopOnSignals } from './run-command.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)
const step = (key: PhraseKey) => print(`  · ${both(key)}`)

await runCommand(async () => {
  const began = performance.now()
  const config = readConfig(withSecretFiles(process.env), 'demo')
  print(`\n  ${both('server.start.title')}\n`)
  // In development the page comes from Vite.
  if (!process.env['CONSOLE_DEV']) await ensureConsoleBuilt((message) => print(`  · ${message}`))
  const logFile = join(config.DATA_DIR, 'logs', 'server.log')
  await makeDataDir(config)
  await mkdir(join(config.DATA_DIR, 'logs'), { recursive: true, mode: 0o700 })
  const log = createLog(config, destination({ dest: logFile, mkdir: true, sync: false }))
  const running = await startServer(config, log, {
    onStep: (name) => name === 'database' && step('server.start.database'),
    prepare: (store) => prepareDemo(config, store),
  })
  stopOnSignals(running.close)
  showScreen(config, running.address, logFile, performance.now() - began)
})

async function prepareDemo(config: Config, store: Store): Promise<void> {
  const schools = await store.everySchool.selectFrom('school').select('kind').execute()
  if (schools.some((school) => school.kind !== 'demo')) throw new CommandError(both('server.start.realData'))
  if (config.ENV_TYPE === 'production') throw new CommandError(both('server.start.notForProduction'))
  if (schools.length > 0) return
  step('server.start.demo')
  await seedDemo(store, Date.now())
}

function showScreen(config: Config, address: string, logFile: string, ms: number): void {
  const line = '─'.repeat(64)
  print(`
  ${line}
  ${both('server.start.ready', { seconds: (ms / 1000).toFixed(1) })}

      ${address}

  ${both('server.start.administrator')}   ${demoAccounts.administrator}
  ${both('server.start.teacher')}   ${demoAccounts.teacher}
  ${both('server.start.password')}   ${demoPassword}

  ${both('server.start.tryFirst')}
  ${say('zh-CN', 'server.start.tryFirstSteps')}
  ${say('en-US', 'server.start.tryFirstSteps')}

  ${both('server.start.data')}   ${config.DATABASE_URL ? 'PostgreSQL' : config.DATA_DIR}
  ${both('server.start.log')}   ${logFile}
  ${both('server.start.stop')}
  ${line}
`)
}
