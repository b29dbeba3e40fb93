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

/** One clean stop, however often it is asked for; a second signal does not wait for it. */
export function stopOnSignals(close: () => Promise<void>): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(130)
    stopping = true
    void close().then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  process.on('SIGHUP', stop)
}
