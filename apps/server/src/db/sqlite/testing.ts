import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { createSqliteDialect, type SqliteOptions, type SqliteThreadDialect } from './sqlite-dialect.ts'

export type Item = { id: number; text: string | null; amount: number | bigint | null; data: Uint8Array | null }
export type TestDatabase = { item: Item }
export type Opened = {
  db: Kysely<TestDatabase>
  dialect: SqliteThreadDialect
  path: string
  ids: () => Promise<number[]>
  close: () => Promise<void>
}

/** A database in a folder of its own with one table, through the driver alone: no codec, no scope. */
export async function openItems(options: Partial<SqliteOptions> = {}): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlite-driver-'))
  const path = join(folder, 'test.sqlite')
  const dialect = createSqliteDialect({ path, ...options })
  const db = new Kysely<TestDatabase>({ dialect })
  await sql`create table item (id integer primary key, text text unique, amount integer, data blob) strict`.execute(db)
  return {
    db,
    dialect,
    path,
    ids: async () => (await db.selectFrom('item').select('id').orderBy('id').execute()).map((row) => row.id),
    async close() {
      await db.destroy()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export const item = (id: number, text: string | null = null): Item => ({ id, text, amount: null, data: null })

export const insert = (db: Kysely<TestDatabase>, ...ids: number[]) =>
  db
    .insertInto('item')
    .values(ids.map((id) => item(id)))
    .execute()

/** Counts so far that it takes a thread a good while; one answer only. */
export const longQuery = (db: Kysely<TestDatabase>, steps = 3_000_000) =>
  sql<{
    n: number
  }>`select count(*) as n from (with recursive step(i) as (select 1 union all select i + 1 from step where i < ${steps}) select i from step)`.execute(
    db,
  )

/** Something that the test itself lets happen, at the moment it chooses. */
export const gate = () => Promise.withResolvers<void>()

export const refusal = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: Error) => error,
  )
