import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Dialect } from 'kysely'
import { SqliteThreadDriver, type DriverStats } from './sqlite-driver.ts'

export type SqliteOptions = { path: string; readers?: number; busyTimeoutMs?: number; lockTimeoutMs?: number }
export type SqliteThreadDialect = Dialect & { stats: () => DriverStats; driver: SqliteThreadDriver }

/** Kysely would let one query at a time through to SQLite; ours has a thread for each reader and orders the writers. */
class ThreadAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
  /** So that two processes that start at once migrate one after the other, and a step lands whole or not at all. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** SQLite behind Kysely with one writer thread and a few reader threads: no query ever blocks the event loop. */
export function createSqliteDialect({
  path,
  readers = 3,
  busyTimeoutMs = 5000,
  lockTimeoutMs = 15_000,
}: SqliteOptions): SqliteThreadDialect {
  const driver = new SqliteThreadDriver({ path, readers, busyTimeoutMs, lockTimeoutMs })
  return {
    driver,
    stats: () => driver.stats(),
    createAdapter: () => new ThreadAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}
