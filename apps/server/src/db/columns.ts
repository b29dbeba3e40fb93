import { sql, type CreateTableBuilder, type Kysely, type RawBuilder } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

/** One helper per kind of column, so that both engines store, compare and order alike. */
export type Columns = {
  id: RawBuilder<unknown>
  text: RawBuilder<unknown>
  integer: RawBuilder<unknown>
  time: RawBuilder<unknown>
  bool: RawBuilder<unknown>
  json: RawBuilder<unknown>
  real: RawBuilder<unknown>
}

const postgres: Columns = {
  id: sql`uuid`,
  // The database's own collation depends on how somebody installed it; "C" is the order SQLite has too.
  text: sql`text collate "C"`,
  integer: sql`integer`,
  time: sql`bigint`,
  bool: sql`boolean`,
  json: sql`jsonb`,
  real: sql`double precision`,
}

const sqlite: Columns = {
  id: sql`text`,
  text: sql`text`,
  integer: sql`integer`,
  time: sql`integer`,
  bool: sql`integer`,
  json: sql`text`,
  real: sql`real`,
}

export const columnsOf = (engine: Engine): Columns => (engine === 'postgres' ? postgres : sqlite)

/** Every table begins with the school and has it in its key. SQLite keeps the rows in the order of that key. */
export function createSchoolTable(
  db: Kysely<never>,
  engine: Engine,
  name: string,
  key: readonly string[],
  build: (table: CreateTableBuilder<string>, columns: Columns) => CreateTableBuilder<string>,
): Promise<void> {
  const columns = columnsOf(engine)
  const start = db.schema.createTable(name).addColumn('school_id', columns.id, (column) => column.notNull())
  const built = build(start as unknown as CreateTableBuilder<string>, columns).addPrimaryKeyConstraint(`${name}_pk`, [
    'school_id',
    ...key,
  ] as never)
  return (engine === 'sqlite' ? built.modifyEnd(sql`strict, without rowid`) : built).execute()
}
