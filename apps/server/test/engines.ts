import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { PGliteDialect } from 'kysely'
import pg from 'pg'
import { createPostgresDialect, createPostgresPool } from '../src/db/postgres.ts'
import { createSqliteDialect } from '../src/db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from '../src/db/store.ts'

export type OpenedEngine = {
  store: Store
  /** Of a real PostgreSQL: other processes and pg-boss reach the same database by it. */
  url?: string
  /** Of SQLite: the file's folder. */
  folder?: string
  close: () => Promise<void>
}
export type TestEngine = { name: 'sqlite' | 'postgres'; standIn: boolean; open: () => Promise<OpenedEngine> }

const databaseUrl = process.env['TEST_DATABASE_URL']

async function openSqlite(): Promise<OpenedEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'console-db-'))
  const store = await openStore('sqlite', createSqliteDialect({ path: join(folder, 'console.db') }))
  return {
    store,
    folder,
    async close() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** A database of its own for each test file, so that files run beside each other. */
async function openPostgres(): Promise<OpenedEngine> {
  const name = `console_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name}`)
  const url = new URL(databaseUrl ?? '')
  url.pathname = `/${name}`
  const store = await openStore('postgres', createPostgresDialect(createPostgresPool(url.href, 6)))
  return {
    store,
    url: url.href,
    async close() {
      await store.close()
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}

/** Where there is no PostgreSQL, its dialect is still tested; the same values must come out of it. */
async function openPglite(): Promise<OpenedEngine> {
  const asNumber = (value: string) => Number(value)
  const asText = (value: string) => value
  const database = await PGlite.create({
    parsers: { [types.INT8]: asNumber, [types.NUMERIC]: asNumber, [types.JSON]: asText, [types.JSONB]: asText },
    serializers: { [types.JSON]: asText, [types.JSONB]: asText },
  })
  const store = await openStore('postgres', new PGliteDialect({ pglite: database }))
  return { store, close: () => store.close() }
}

export const engines: TestEngine[] = [
  { name: 'sqlite', standIn: false, open: openSqlite },
  { name: 'postgres', standIn: !databaseUrl, open: databaseUrl ? openPostgres : openPglite },
]

/** The engine that this run of the server tests is for: vitest runs them once for each. */
export const engineName = (): TestEngine['name'] => (process.env['TEST_ENGINE'] === 'postgres' ? 'postgres' : 'sqlite')
