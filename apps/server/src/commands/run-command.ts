import { ConfigError } from '../config.ts'
import { DataDirHeldError } from '../operation/data-dir.ts'

/** What an operator can mend is said in a sentence; only what nobody foresaw shows its stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ConfigError || error instanceof DataDirHeldError || error instanceof CommandError) {
      process.stderr.write(`\n${error.message}\n`)
    } else {
      process.stderr.write(`\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    }
    process.exitCode = 1
  }
}

/** A refusal with a sentence that says what to do. */
export class CommandError extends Error {}

const repeatedMs = 1000

/**
 * One clean stop, however often it is asked for: a terminal that closes and the launcher behind npm both tell us.
 * Who asks again later does not want to wait.
 */
export function stopOnSignals(close: () => Promise<void>): void {
  let stoppingSince = 0
  const stop = () => {
    if (stoppingSince > 0 && Date.now() - stoppingSince > repeatedMs) process.exit(130)
    if (stoppingSince > 0) return
    stoppingSince = Date.now()
    void close().then(() => process.exit(0))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}
