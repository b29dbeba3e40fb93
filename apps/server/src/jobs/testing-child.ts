import { createPostgresDialect, createPostgresPool } from '../db/postgres.ts'
import { createSqliteDialect } from '../db/sqlite/sqlite-dialect.ts'
import { openStore } from '../db/store.ts'
import { slow } from './testing-slow.ts'
import { makeWorker, type Queue } from './testing.ts'

/** A server of its own that runs jobs until somebody kills it. */
const [queue = '', engine = '', address = ''] = process.argv.slice(2)
const store =
  engine === 'sqlite'
    ? await openStore('sqlite', createSqliteDialect({ path: address, readers: 1 }))
    : await openStore('postgres', createPostgresDialect(createPostgresPool(address, 4)))
const { jobs } = makeWorker({ queue: queue as Queue, store, address }, [slow(true)])
await jobs.start()
process.stdout.write('ready\n')
