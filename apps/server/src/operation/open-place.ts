import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { CommandError } from '../commands/run-command.ts'
import type { Config } from '../config.ts'
import { columnPlugins } from '../db/codec.ts'
import { createPostgresDialect, createPostgresPool } from '../db/postgres.ts'
import type { Database } from '../db/schema.ts'
import { createSqliteDialect } from '../db/sqlite/sqlite-dialect.ts'
import { openStore } from '../db/store.ts'
import { databaseError } from '../start-failures.ts'
import type { Place } from './copy.ts'

export type OpenPlace = Place & { close: () => Promise<void> }
type Where = Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>

/** A server that runs commits all the time; we wait for a gap longer than any of its requests would. */
const busyTimeoutMs = 60_000
const connections = 4

export const databaseFile = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'console.db')

const sqliteDialect = (path: string) => createSqliteDialect({ path, readers: 2, busyTimeoutMs })
const postgresDialect = (url: string) => createPostgresDialect(createPostgresPool(url, connections))

/** As it is, also when it is older than we are: a backup before an upgrade is of what was there before it. */
export async function openUnmigrated(config: Where): Promise<OpenPlace> {
  const { DATABASE_URL } = config
  if (!DATABASE_URL) await demandFile(databaseFile(config))
  const db = new Kysely<Database>({
    dialect: DATABASE_URL ? postgresDialect(DATABASE_URL) : sqliteDialect(databaseFile(config)),
    plugins: columnPlugins(),
  })
  await sql`select 1`.execute(db).catch(async (error: unknown) => {
    await db.destroy()
    throw databaseError(error)
  })
  return { engine: DATABASE_URL ? 'postgres' : 'sqlite', db, close: () => db.destroy() }
}

export async function demandFile(path: string): Promise<void> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  )
  if (!isThere) throw new CommandError(`There is no database at ${path}. Is DATA_DIR the right folder?`)
}

export async function openMigrated({ DATA_DIR, DATABASE_URL }: Where): Promise<OpenPlace> {
  const engine = DATABASE_URL ? 'postgres' : 'sqlite'
  const dialect = DATABASE_URL ? postgresDialect(DATABASE_URL) : sqliteDialect(databaseFile({ DATA_DIR }))
  const { everySchool, close } = await openStore(engine, dialect).catch((error: unknown) =>
    Promise.reject(databaseError(error)),
  )
  return { engine, db: everySchool, close }
}

/** A database for a moment, where rows of an older version become those of ours. */
export async function openScratch(path: string): Promise<OpenPlace> {
  const db = new Kysely<Database>({ dialect: createSqliteDialect({ path, readers: 1 }), plugins: columnPlugins() })
  return { engine: 'sqlite', db, close: () => db.destroy() }
}
