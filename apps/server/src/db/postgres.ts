import { PostgresDialect, type Dialect } from 'kysely'
import pg from 'pg'

const int8 = 20
const numeric = 1700
const json = 114
const jsonb = 3802

// Per connection, not on pg's global table: pg-boss in the same process reads its own columns its own way.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === int8 || oid === numeric) return Number
    if (oid === json || oid === jsonb) return (value: string) => value
    return pg.types.getTypeParser(oid, format as 'text')
  }) as pg.CustomTypesConfig['getTypeParser'],
}

export function createPostgresPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'teaching-console',
  })
  // An idle connection that the server closes is replaced on the next use; without a listener it would end the process.
  pool.on('error', () => undefined)
  return pool
}

export function createPostgresDialect(pool: pg.Pool): Dialect {
  return new PostgresDialect({ pool })
}
