import { parseArgs } from 'node:util'
import { CommandError } from '../commands/run-command.ts'

/** What stands after the command. An option that we do not know is refused: who meant something by it must not get something else. */
export function readArguments(usage: string, least: number, most: number): string[] {
  const { positionals, tokens } = parseArgs({ allowPositionals: true, strict: false, tokens: true })
  const hasOption = tokens.some(({ kind }) => kind === 'option')
  if (hasOption || positionals.length < least || positionals.length > most) throw new CommandError(`Usage: ${usage}`)
  return positionals
}
