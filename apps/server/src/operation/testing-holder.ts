import { openDataDir } from './data-dir.ts'

/** Holds a folder until somebody kills it. */
await openDataDir(process.argv[2] ?? '')
process.stdout.write('held\n')
setInterval(() => undefined, 60_000)
