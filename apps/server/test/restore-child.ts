import { writeSync } from 'node:fs'
import { readConfig } from '../src/config.ts'
import { createObjectStore } from '../src/objects/create-objects.ts'
import { openMigrated } from '../src/operation/open-place.ts'
import { restoreBackup } from '../src/operation/restore.ts'

/** A restore that stops in the middle of its transaction, for ever: somebody kills it there, or tells it to go on. */
const [folder = '', table = ''] = process.argv.slice(2)
const config = readConfig(process.env, 'test')

function print(line: string): void {
  if (!line.startsWith(`  ${table}:`)) return
  writeSync(1, 'in the middle\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

const place = await openMigrated(config)
await restoreBackup({ folder, environment: 'test', open: async () => place, objects: createObjectStore(config), print })
await place.close()
