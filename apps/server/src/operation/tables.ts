import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Engine } from '../db/columns.ts'
import type { Db } from '../db/store.ts'
import { canonicalJson, valueOf, type Row } from './canonical.ts'

export type Column = { name: string; isNullable: boolean }
export type Table = { name: string; columns: readonly Column[]; key: readonly string[] }
export type Digest = { rows: number; sha256: string }
/** Names and values as they are stored, over all schools: a copy knows no tenant and no codec. */
export type RawDb = Kysely<Record<string, Record<string, unknown>>>

export const rawOf = (db: Db): RawDb => db.withoutPlugins() as unknown as RawDb

/** Secrets that live a day: nobody signs in with a session that came out of a backup. */
export const leftOut: readonly string[] = ['one_time', 'user_session']

const chunkRows = 500

type Described = { table: string; column: string; required: number | boolean; position: number | null }

/** Of virtual tables, and of what they keep beside them, the triggers make new ones. */
const describeSqlite = sql<Described>`
  select t.name as "table", c.name as "column", c."notnull" as required, nullif(c.pk, 0) as position
  from pragma_table_list t join pragma_table_info(t.name) c
  where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite!_%' escape '!'
  order by t.name, c.cid`

const describePostgres = sql<Described>`
  select c.relname as "table", a.attname as "column", a.attnotnull as required, array_position(i.indkey::int2[], a.attnum) as position
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = current_schema()
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relkind in ('r', 'p') and not c.relispartition
  order by c.relname, a.attnum`

/** All tables but those by which migrations are known, in the order of their names. */
export async function readTables(db: RawDb, engine: Engine): Promise<Table[]> {
  const { rows } = await (engine === 'sqlite' ? describeSqlite : describePostgres).execute(db)
  const named = Map.groupBy(
    rows.filter(({ table }) => !table.startsWith('kysely_migration')),
    ({ table }) => table,
  )
  return [...named].map(([name, columns]) => tableOf(name, columns)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function tableOf(name: string, columns: readonly Described[]): Table {
  const key = columns
    .filter((column) => column.position !== null)
    .toSorted((a, b) => Number(a.position) - Number(b.position))
    .map(({ column }) => column)
  if (key.length === 0)
    throw new Error(`the table ${name} has no primary key, so its rows have no order to be copied in`)
  return { name, key, columns: columns.map(({ column, required }) => ({ name: column, isNullable: !required })) }
}

/** In the order of the key, from where the last chunk ended: no offset to count again, no cursor to keep open. */
export async function* readRows(db: RawDb, table: Table): AsyncIterable<Row[]> {
  if (leftOut.includes(table.name)) return
  const key = sql.join(table.key.map((name) => sql.ref(name)))
  let last: Record<string, unknown> | undefined
  do {
    const from = last
    const after = from ? sql<boolean>`(${key}) > (${sql.join(table.key.map((name) => from[name]))})` : null
    const chunk = await db
      .selectFrom(table.name)
      .select(table.columns.map(({ name }) => name))
      .$if(after !== null, (query) => query.where(after ?? sql<boolean>`true`))
      .$if(table.name === 'upload', (query) => query.where('state', '<>', 'open'))
      .orderBy(key)
      .limit(chunkRows)
      .execute()
    if (chunk.length > 0) yield chunk.map((row) => settled(table.name, plainRow(row)))
    last = chunk.length < chunkRows ? undefined : chunk.at(-1)
  } while (last)
}

const plainRow = (row: Record<string, unknown>): Row =>
  Object.fromEntries(Object.entries(row).map(([name, raw]) => [name, valueOf(name, raw)]))

/** A copy runs nothing: what was running waits again, as after a server that stopped, and the attempt does not count. */
function settled(table: string, row: Row): Row {
  if (table !== 'job' || row['state'] !== 'running') return row
  return {
    ...row,
    state: 'queued',
    lease_owner: null,
    lease_until: null,
    attempt: Math.max(0, Number(row['attempt']) - 1),
  }
}

export const linesOf = (rows: readonly Row[]): string => rows.map((row) => `${canonicalJson(row)}\n`).join('')

/** Counts and hashes rows as they pass, so that two places can be compared without laying them side by side. */
export class Tally {
  readonly #hash = createHash('sha256')
  #rows = 0
  async *through(chunks: AsyncIterable<Row[]>): AsyncIterable<{ rows: Row[]; lines: string }> {
    for await (const rows of chunks) {
      const lines = linesOf(rows)
      this.#rows += rows.length
      this.#hash.update(lines)
      yield { rows, lines }
    }
  }
  digest(): Digest {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

export async function digestOf(chunks: AsyncIterable<Row[]>): Promise<Digest> {
  const tally = new Tally()
  for await (const _ of tally.through(chunks));
  return tally.digest()
}
