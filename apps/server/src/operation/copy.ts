import { sql } from 'kysely'
import type { Engine } from '../db/columns.ts'
import type { Db } from '../db/store.ts'
import { CommandError } from '../commands/run-command.ts'
import { storedOf, type Row } from './canonical.ts'
import { digestOf, leftOut, rawOf, readRows, readTables, Tally, type Digest, type RawDb, type Table } from './tables.ts'

export type Print = (line: string) => void
export type Place = { engine: Engine; db: Db }
export type Digests = Record<string, Digest>
/** Where rows come from: a snapshot of a database, or the folder of a backup. */
export type TableSource = { names: readonly string[]; rows: (table: string) => AsyncIterable<Row[]> }

const parameterLimit: Record<Engine, number> = { sqlite: 32_766, postgres: 65_535 }
const insertRows = 500
const lockAttempts = 5
const deadlock = '40P01'

/** All tables of one moment, whatever is written meanwhile. */
export function withSnapshot<T>(
  { engine, db }: Place,
  work: (source: TableSource, raw: RawDb) => Promise<T>,
): Promise<T> {
  const start = db.transaction().setAccessMode('read only')
  const snapshot = engine === 'postgres' ? start.setIsolationLevel('repeatable read') : start
  return snapshot.execute(async (transaction) => {
    const raw = rawOf(transaction)
    return work(await sourceOf(raw, engine), raw)
  })
}

async function sourceOf(raw: RawDb, engine: Engine): Promise<TableSource> {
  const tables = new Map((await readTables(raw, engine)).map((table) => [table.name, table]))
  return {
    names: [...tables.keys()].filter((name) => !leftOut.includes(name)),
    rows(name) {
      const table = tables.get(name)
      if (!table) throw new Error(`there is no table ${name}`)
      return readRows(raw, table)
    },
  }
}

export type Replaced = { sent: Digests; stored: Digests }

/**
 * Puts what the source has in the place of everything that is stored, in one transaction: whoever reads meanwhile sees all
 * of the old or all of the new. It is read again before it is committed, and a difference leaves the old.
 */
export async function replaceAll(
  place: Place,
  source: TableSource,
  print: Print,
  check?: (db: RawDb) => Promise<void>,
): Promise<Replaced> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await place.db
        .transaction()
        .execute((transaction) => replaceIn(rawOf(transaction), place.engine, source, print, check))
    } catch (error) {
      // A server that runs holds rows of one table and wants those of the next, which we hold: one of the two gives way.
      if ((error as { code?: string }).code !== deadlock || attempt >= lockAttempts) throw error
    }
  }
}

async function replaceIn(
  raw: RawDb,
  engine: Engine,
  source: TableSource,
  print: Print,
  check?: (db: RawDb) => Promise<void>,
): Promise<Replaced> {
  const tables = await readTables(raw, engine)
  if (engine === 'postgres')
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in exclusive mode`.execute(raw)
  await check?.(raw)
  const unknown = source.names.filter((name) => !tables.some((table) => table.name === name))
  if (unknown.length > 0)
    throw new CommandError(`The target has no table ${unknown.join(', ')}, so what it holds would be lost.`)
  for (const { name } of tables) await raw.deleteFrom(name).execute()
  const sent: Digests = {}
  for (const table of tables) {
    if (!source.names.includes(table.name)) continue
    sent[table.name] = await insertTable(raw, engine, table, source.rows(table.name))
    print(`  ${table.name}: ${sent[table.name]?.rows ?? 0} rows`)
  }
  const stored = await digestsOf(await sourceOf(raw, engine))
  const different = differences(sent, stored)
  if (different.length > 0)
    throw new CommandError(`What was stored is not what was sent, in ${different.join(', ')}. Nothing was changed.`)
  return { sent, stored }
}

async function insertTable(raw: RawDb, engine: Engine, table: Table, chunks: AsyncIterable<Row[]>): Promise<Digest> {
  const tally = new Tally()
  const size = Math.min(insertRows, Math.floor(parameterLimit[engine] / table.columns.length))
  for await (const { rows } of tally.through(chunks)) {
    for (let at = 0; at < rows.length; at += size) {
      const values = rows.slice(at, at + size).map((row) => storedRow(table, row))
      await raw.insertInto(table.name).values(values).execute()
    }
  }
  return tally.digest()
}

const storedRow = (table: Table, row: Row): Record<string, unknown> =>
  Object.fromEntries(table.columns.map(({ name, isNullable }) => [name, storedOf(name, isNullable, row[name])]))

export async function digestsOf(source: TableSource): Promise<Digests> {
  const digests: Digests = {}
  for (const name of source.names) digests[name] = await digestOf(source.rows(name))
  return digests
}

/** A table that the source does not know must be empty. */
const differences = (sent: Digests, stored: Digests): string[] =>
  Object.entries(stored)
    .filter(([name, { rows, sha256 }]) =>
      sent[name] ? sent[name].sha256 !== sha256 || sent[name].rows !== rows : rows > 0,
    )
    .map(([name]) => name)
