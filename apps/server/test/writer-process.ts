import { openSync, writeSync } from 'node:fs'
import { change } from '../src/db/change.ts'
import { newId } from '../src/db/ids.ts'
import { openStoreAt } from './open-store.ts'

/** The acknowledged of a killed process are told by what it has written down; each write is one system call. */
const [, , engine = '', address = '', schoolId = '', writes = '', acknowledgements = ''] = process.argv
const store = await openStoreAt(engine, address)
const out = acknowledgements ? openSync(acknowledgements, 'a') : 1
const actor = { userId: null, requestId: 'writer', address: '127.0.0.1' }

let left = Number(writes)
async function writer(): Promise<void> {
  while (left > 0) {
    left -= 1
    const id = newId()
    await change(store, schoolId, actor, { action: 'written', targetKind: 'setting', targetId: id }, (db) =>
      db
        .insertInto('setting')
        .values({ name: id, valueJson: { text: 'x'.repeat(left % 700) } })
        .execute(),
    )
    writeSync(out, `${id}\n`)
  }
}

await Promise.all(Array.from({ length: 16 }, writer))
// Not closed: it goes as a process goes that is told nothing.
process.exit()
