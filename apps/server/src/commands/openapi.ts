import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CommandError, runCommand } from './run-command.ts'
import { openApiDocument } from '../http/openapi-document.ts'

/** Writes docs/openapi.json, or with --check says whether it is still what the contract says. */
await runCommand(async () => {
  const file = fileURLToPath(new URL('../../../../docs/openapi.json', import.meta.url))
  const current = await openApiDocument()
  if (!process.argv.includes('--check')) return writeFile(file, current)
  const kept = await readFile(file, 'utf8').catch(() => '')
  if (kept !== current) throw new CommandError('docs/openapi.json is not what the contract says: npm run openapi')
})
