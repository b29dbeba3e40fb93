import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type Kysely } from 'kysely'
import { engines, type OpenedEngine, type TestEngine } from '../../test/engines.ts'
import { columnsOf } from './columns.ts'
import { newId } from './ids.ts'
import { migrate, steps } from './migrate.ts'
import type { Database } from './schema.ts'
import { hasPostgres, ownPostgres, testNeeding } from '../../test/needing.ts'

const kyselys = new Set(['kysely_migration', 'kysely_migration_lock'])
type Column = { name: string; type: string; nullable: boolean | 0 | 1; key: number }
type Shape = Record<string, { columns: Column[]; indexes: string[] }>

/** pg_catalog and SQLite's own tables say it; key is the place in the primary key, from 1. */
async function shapeOf(db: Kysely<Database>, name: TestEngine['name']): Promise<Shape> {
  const tables = (await db.introspection.getTables()).filter(
    (table) => !kyselys.has(table.name) && !table.name.startsWith('sqlite_'),
  )
  const shape: Shape = {}
  for (const table of tables.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const columns =
      name === 'sqlite'
        ? await sql<Column>`select name, lower(type) as type, "notnull" = 0 as nullable, pk as key from pragma_table_info(${table.name}) order by cid`.execute(
            db,
          )
        : await sql<Column>`
            select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable,
              coalesce(array_position((select i.indkey::int2[] from pg_index i where i.indrelid = a.attrelid and i.indisprimary), a.attnum) + 1, 0) as key
            from pg_attribute a where a.attrelid = ${table.name}::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`.execute(
            db,
          )
    const indexes =
      name === 'sqlite'
        ? await sql<{
            says: string
          }>`select sql as says from sqlite_schema where tbl_name = ${table.name} and sql is not null order by sql`.execute(
            db,
          )
        : await sql<{
            says: string
          }>`select indexdef as says from pg_indexes where tablename = ${table.name} order by indexdef`.execute(db)
    shape[table.name] = {
      columns: columns.rows.map((column) => ({ ...column, nullable: Boolean(column.nullable) })),
      indexes: indexes.rows.map((row) => row.says),
    }
  }
  return shape
}

async function empty(db: Kysely<Database>): Promise<void> {
  for (const table of await db.introspection.getTables({ withInternalKyselyTables: true })) {
    if (!table.name.startsWith('sqlite_')) await db.schema.dropTable(table.name).execute()
  }
}

describe.each(engines)('$name', ({ name, open }) => {
  let engine: OpenedEngine
  let shape: Shape
  beforeAll(async () => {
    engine = await open()
    shape = await shapeOf(engine.store.everySchool, name)
  })
  afterAll(() => engine.close())

  test('running it twice does nothing', async () => {
    expect(await migrate(engine.store.everySchool, name)).toEqual([])
    expect(await shapeOf(engine.store.everySchool, name)).toEqual(shape)
  })

  test('every table has the school first in its key', () => {
    expect(Object.keys(shape).length).toBeGreaterThan(10)
    for (const [table, { columns }] of Object.entries(shape)) {
      expect(
        columns.find((column) => column.key === 1),
        table,
      ).toMatchObject({ name: 'school_id', nullable: false })
    }
  })

  test('names tell booleans and JSON, as the codec reads them', () => {
    const plain = (value: unknown) =>
      (value as { toOperationNode: () => { sqlFragments: string[] } }).toOperationNode().sqlFragments.join('')
    const columns = columnsOf(name)
    const all = Object.entries(shape).flatMap(([table, { columns: list }]) =>
      list.map((column) => ({ ...column, place: `${table}.${column.name}` })),
    )
    for (const column of all.filter((item) => /^(is|has)_/.test(item.name)))
      expect(column.type, column.place).toBe(plain(columns.bool))
    for (const column of all.filter((item) => item.name.endsWith('_json')))
      expect(column.type, column.place).toBe(plain(columns.json))
    // SQLite has no types of its own for them, so only PostgreSQL can say that none goes by another name.
    if (name === 'sqlite') return
    for (const column of all.filter((item) => item.type === plain(columns.bool)))
      expect(column.place).toMatch(/\.(is|has)_/)
    for (const column of all.filter((item) => item.type === plain(columns.json))) expect(column.place).toMatch(/_json$/)
  })

  test('no name of a column changes on its way through camelCase', () => {
    for (const [table, { columns }] of Object.entries(shape)) {
      for (const column of [{ name: table }, ...columns]) expect(column.name).toMatch(/^[a-z]+[0-9]*(_[a-z]+[0-9]*)*$/)
    }
  })

  test('step by step it comes to the same, and what was stored in between is kept', async () => {
    const other = await open()
    const db = other.store.everySchool
    await empty(db)
    const names = Object.keys(steps)
    expect(names).toEqual(names.toSorted())
    const schoolId = newId()
    for (const [at, step] of names.entries()) {
      expect(await migrate(db, name, step)).toEqual([step])
      if (at === 0) await db.insertInto('setting').values({ schoolId, name: 'kept', valueJson: { step } }).execute()
    }
    expect(await shapeOf(db, name)).toEqual(shape)
    expect(await db.selectFrom('setting').selectAll().execute()).toEqual([
      { schoolId, name: 'kept', valueJson: { step: names[0] } },
    ])
    await other.close()
  })

  test('a step that fails leaves nothing of itself', async () => {
    const other = await open()
    const db = other.store.everySchool
    const broken = '999-broken'
    steps[broken] = async (on) => {
      await on.schema.createTable('half').addColumn('id', 'integer').execute()
      throw new Error('no')
    }
    try {
      await expect(migrate(db, name)).rejects.toThrow('no')
    } finally {
      delete steps[broken]
    }
    expect(await shapeOf(db, name)).toEqual(shape)
    expect(await migrate(db, name)).toEqual([])
    await other.close()
  })
})

/** Opens the store, which migrates, and says what it did. */
async function openInProcess(arguments_: string[]): Promise<string> {
  const script = new URL('../../test/open-store.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [script, ...arguments_], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (data) => (said += data))
  child.stderr.on('data', (data) => (said += data))
  await once(child, 'close')
  return said
}

test('two processes that migrate a new SQLite file at once: one does it, the other finds it done', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-twice-'))
  for (let round = 0; round < 3; round += 1) {
    const path = join(folder, `${round}.sqlite`)
    const said = await Promise.all(Array.from({ length: 3 }, () => openInProcess(['sqlite', path])))
    expect(said.toSorted()).toEqual(['migrated 0\n', 'migrated 0\n', `migrated ${Object.keys(steps).length}\n`])
  }
  await rm(folder, { recursive: true })
})

testNeeding(hasPostgres, ownPostgres)('two processes that migrate a new PostgreSQL database at once', async () => {
  const postgres = engines.find((engine) => engine.name === 'postgres')
  const opened = await postgres?.open()
  if (!opened?.url) throw new Error('a real PostgreSQL has an address')
  await empty(opened.store.everySchool)
  const said = await Promise.all(Array.from({ length: 3 }, () => openInProcess(['postgres', opened.url ?? ''])))
  expect(said.toSorted()).toEqual(['migrated 0\n', 'migrated 0\n', `migrated ${Object.keys(steps).length}\n`])
  await opened.close()
})
