import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { change } from '../apps/server/src/db/change.ts'
import { newId } from '../apps/server/src/db/ids.ts'
import { createSqliteDialect, type SqliteThreadDialect } from '../apps/server/src/db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from '../apps/server/src/db/store.ts'
import type { Row } from './row.ts'

export const area = 'store'

const measuredMs = 3000
const writers = 32
const reportRows = 1_000_000
/** What was asked of writes beside a report: so many a second, and this the slowest of a hundred. */
const goal = { writesPerSecond: 2500, p99Ms: 25 }

type Opened = { store: Store; dialect: SqliteThreadDialect; path: string; school: string }

async function inFolder<T>(use: (opened: Opened) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-store-'))
  const path = join(folder, 'bench.sqlite')
  const dialect = createSqliteDialect({ path })
  const store = await openStore('sqlite', dialect)
  try {
    return await use({ store, dialect, path, school: newId() })
  } finally {
    await store.close()
    await rm(folder, { recursive: true })
  }
}

/** Runs `work` from so many places at once until the time is over. */
async function together(work: (n: number) => Promise<unknown>, times: number[] = []): Promise<number> {
  const began = performance.now()
  let done = 0
  const writer = async () => {
    while (performance.now() - began < measuredMs) {
      const asked = performance.now()
      await work((done += 1))
      times.push(performance.now() - asked)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  return (done / (performance.now() - began)) * 1000
}

const upsert = ({ store, school }: Opened, n: number) =>
  store
    .school(school)
    .insertInto('attempt')
    .values({ key: `key-${n % 5000}`, failures: n, firstAt: n, blockedUntil: n })
    .onConflict((conflict) => conflict.columns(['schoolId', 'key']).doUpdateSet({ failures: n }))
    .execute()

const changeOne = ({ store, school }: Opened, n: number) =>
  change(
    store,
    school,
    { userId: null, requestId: `r${n}`, address: '127.0.0.1' },
    { action: 'bench', targetKind: 'setting', targetId: 'x' },
    (db) =>
      db
        .insertInto('setting')
        .values({ name: `name-${n % 5000}`, valueJson: { n } })
        .onConflict((conflict) => conflict.columns(['schoolId', 'name']).doUpdateSet({ valueJson: { n } }))
        .execute(),
  )

/** The same on the same file layout with nothing between: one thread, one statement after the other. */
function bare(
  { path, school }: Opened,
  work: (does: (statement: string, ...values: (string | number)[]) => void, n: number) => void,
): number {
  const database = new DatabaseSync(path)
  database.exec('pragma synchronous = full; pragma cache_size = -32000; pragma mmap_size = 268435456')
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const perform = (statement: string, ...values: (string | number)[]) => {
    const known = prepared.get(statement) ?? database.prepare(statement)
    prepared.set(statement, known)
    known.run(...values)
  }
  const began = performance.now()
  let done = 0
  while (performance.now() - began < measuredMs)
    work(
      (statement, ...values) => perform(statement, ...values.map((value) => (value === 'school' ? school : value))),
      (done += 1),
    )
  const rate = (done / (performance.now() - began)) * 1000
  database.close()
  return rate
}

const bareUpsert = (opened: Opened) =>
  bare(opened, (does, n) =>
    does(
      'insert into attempt (key, failures, first_at, blocked_until, school_id) values (?, ?, ?, ?, ?) on conflict (school_id, key) do update set failures = ?',
      `bare-${n % 5000}`,
      n,
      n,
      n,
      'school',
      n,
    ),
  )

const bareChange = (opened: Opened) =>
  bare(opened, (does, n) => {
    does('begin immediate')
    does(
      'insert into setting (name, value_json, school_id) values (?, ?, ?) on conflict (school_id, name) do update set value_json = excluded.value_json',
      `bare-${n % 5000}`,
      `{"n":${n}}`,
      'school',
    )
    does(
      `insert into audit (id, at, action, target_kind, target_id, data_json, request_id, address, school_id) values (?, ?, 'bench', 'setting', 'x', '{}', ?, '127.0.0.1', ?)`,
      newId(),
      n,
      `r${n}`,
      'school',
    )
    does('commit')
  })

/** While a report runs over a million rows again and again on a reader. */
async function besideReport(opened: Opened): Promise<{ rate: number; p99: number }> {
  const { everySchool } = opened.store
  await sql`create table report_row (id integer primary key, class integer, score real)`.execute(everySchool)
  await sql`insert into report_row (class, score) with recursive n(i) as (select 1 union all select i + 1 from n where i < ${reportRows}) select i % 40, i % 150 from n`.execute(
    everySchool,
  )
  let over = false
  const reports = (async () => {
    while (!over)
      await sql`select class, count(*), avg(score), max(score) from report_row group by class`.execute(everySchool)
  })()
  const times: number[] = []
  const rate = await together((n) => upsert(opened, n), times)
  over = true
  await reports
  times.sort((a, b) => a - b)
  return { rate, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}

const rounded = (value: number) => Number(value.toPrecision(4))

/** The ratio is always how many times better than the peer we are. */
function row(name: string, ours: number, peer: number, unit: string): Row {
  const ratio = unit === 'ms' ? peer / ours : ours / peer
  return { name: `${area}/${name}`, ours: rounded(ours), peer: rounded(peer), ratio: rounded(ratio), unit }
}

export async function run(): Promise<Row[]> {
  const writes = await inFolder(async (opened) => ({
    ours: await together((n) => upsert(opened, n)),
    peer: bareUpsert(opened),
  }))
  const changes = await inFolder(async (opened) => ({
    ours: await together((n) => changeOne(opened, n)),
    peer: bareChange(opened),
  }))
  const beside = await inFolder(besideReport)
  return [
    row('writes-per-s', writes.ours, writes.peer, '/s'),
    row('writes-beside-report', beside.rate, goal.writesPerSecond, '/s'),
    row('write-p99-ms-beside-report', beside.p99, goal.p99Ms, 'ms'),
    row('changes-per-s', changes.ours, changes.peer, '/s'),
  ]
}

if (import.meta.main) console.table(await run())
