import { createPostgresDialect, createPostgresPool } from '../src/db/postgres.ts'
import { createSqliteDialect } from '../src/db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from '../src/db/store.ts'

/** For processes that a test starts: the same store by the same address, a file's path or a PostgreSQL URL. */
export function openStoreAt(engine: string, address: string, onMigrated?: (names: string[]) => void): Promise<Store> {
  if (engine === 'postgres')
    return openStore('postgres', createPostgresDialect(createPostgresPool(address, 8)), onMigrated)
  return openStore('sqlite', createSqliteDialect({ path: address }), onMigrated)
}

if (import.meta.main) {
  const [, , engine = '', address = ''] = process.argv
  let migrated = 0
  const store = await openStoreAt(engine, address, (names) => (migrated = names.length))
  await store.close()
  console.log(`migrated ${migrated}`)
}
