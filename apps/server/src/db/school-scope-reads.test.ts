import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { engines, type OpenedEngine } from '../../test/engines.ts'
import { ours, seed, theirs } from './school-scope.testing.ts'
import type { Db } from './store.ts'

/** Reads: whatever comes back must not contain the other school's mark. */
const reads: Record<string, (db: Db) => Promise<unknown[]>> = {
  'all rows': (db) => db.selectFrom('grade').selectAll().execute(),
  'an alias': (db) => db.selectFrom('grade as g').select(['g.name', 'g.schoolId']).execute(),
  'two tables': (db) =>
    db.selectFrom(['grade as g', 'schoolClass as c']).select(['g.name', 'c.name as className']).execute(),
  'or-conditions': (db) =>
    db
      .selectFrom('grade')
      .selectAll()
      .where((eb) => eb.or([eb('sort', '=', 0), eb('sort', '>=', 0)]))
      .execute(),
  'a raw or-condition': (db) =>
    db
      .selectFrom('grade')
      .selectAll()
      .where(sql<boolean>`sort = 0 or sort >= 0`)
      .execute(),
  'a raw or-condition in a join': (db) =>
    db
      .selectFrom('grade')
      .innerJoin('schoolClass', (join) => join.on(sql<boolean>`1 = 1 or 2 = 2`))
      .select(['grade.name', 'schoolClass.name as className'])
      .execute(),
  'the other school by name': async (db) => [
    {},
    ...(await db.selectFrom('grade').selectAll().where('schoolId', '=', theirs).execute()),
  ],
  'an inner join': (db) =>
    db
      .selectFrom('grade')
      .innerJoin('schoolClass', 'schoolClass.gradeId', 'grade.id')
      .select(['grade.name', 'schoolClass.name as className'])
      .execute(),
  'a left join': (db) =>
    db
      .selectFrom('grade')
      .leftJoin('schoolClass as c', 'c.gradeId', 'grade.id')
      .select(['grade.name', 'c.name as className'])
      .execute(),
  'a left join without a match': (db) =>
    db
      .selectFrom('grade')
      .leftJoin('schoolClass as c', (join) => join.onRef('c.gradeId', '=', 'grade.id').on('c.name', 'like', 'theirs%'))
      .select(['grade.name', 'c.name as className'])
      .execute(),
  'a join with a subquery': (db) =>
    db
      .selectFrom('grade')
      .innerJoin(
        (eb) => eb.selectFrom('schoolClass').selectAll().as('c'),
        (join) => join.onRef('c.gradeId', '=', 'grade.id'),
      )
      .select(['grade.name', 'c.name as className'])
      .execute(),
  'a subquery in where': (db) =>
    db
      .selectFrom('grade')
      .select('name')
      .where('id', 'in', (eb) => eb.selectFrom('schoolClass').select('gradeId').where('name', 'like', 'ours%'))
      .execute(),
  'exists of the other school': async (db) => [
    {},
    ...(await db
      .selectFrom('grade')
      .selectAll()
      .where((eb) => eb.exists(eb.selectFrom('schoolClass').select('id').where('name', 'like', 'theirs%')))
      .execute()),
  ],
  'a subquery in select': (db) =>
    db
      .selectFrom('grade')
      .select((eb) =>
        eb
          .selectFrom('schoolClass as c')
          .select((inner) => inner.fn.max('c.name').as('m'))
          .as('name'),
      )
      .execute(),
  'a subquery in from': (db) =>
    db
      .selectFrom((eb) => eb.selectFrom('grade').selectAll().as('g'))
      .selectAll()
      .execute(),
  'an expression before': (db) =>
    db
      .with('mine', (query) => query.selectFrom('grade').selectAll())
      .selectFrom('mine')
      .selectAll()
      .execute(),
  'expressions of expressions': (db) =>
    db
      .with('a', (query) => query.selectFrom('grade').selectAll())
      .with('b', (query) =>
        query
          .selectFrom('a')
          .innerJoin('schoolClass', 'schoolClass.gradeId', 'a.id')
          .select(['schoolClass.name', 'a.id']),
      )
      .selectFrom('b')
      .innerJoin('grade', 'grade.id', 'b.id')
      .select(['b.name', 'grade.name as gradeName'])
      .execute(),
  'a recursive expression': (db) =>
    db
      .withRecursive('tree(id, name, depth)', (query) =>
        query
          .selectFrom('grade')
          .select(['id', 'name', sql<number>`0`.as('depth')])
          .unionAll((eb) =>
            eb
              .selectFrom('tree')
              .innerJoin('schoolClass', 'schoolClass.gradeId', 'tree.id')
              .select(['tree.id', 'schoolClass.name', sql<number>`depth + 1`.as('depth')])
              .where('depth', '<', 1),
          ),
      )
      .selectFrom('tree')
      .selectAll()
      .execute(),
  'a union': (db) => db.selectFrom('grade').select('name').union(db.selectFrom('schoolClass').select('name')).execute(),
  'an expression in a subquery does not hide the table outside': (db) =>
    db
      .selectFrom((eb) =>
        eb
          .selectFrom(
            db
              .with('schoolClass', (query) => query.selectFrom('grade').selectAll())
              .selectFrom('schoolClass')
              .selectAll()
              .as('inside'),
          )
          .selectAll()
          .as('s'),
      )
      .innerJoin('schoolClass', 'schoolClass.id', 's.id')
      .select(['s.name', 'schoolClass.name as className'])
      .execute(),
  counts: async (db) => {
    const rows = await db
      .selectFrom('grade')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .execute()
    expect(rows).toEqual([{ n: 2 }])
    return rows
  },
  'an aggregate over groups': (db) =>
    db
      .selectFrom('schoolClass')
      .select(['gradeId', (eb) => eb.fn.max('name').as('name')])
      .groupBy('gradeId')
      .having((eb) => eb.fn.countAll(), '=', 1)
      .execute(),
}

describe.each(engines)('$name', ({ open }) => {
  let engine: OpenedEngine
  let all: Db
  let db: Db
  beforeAll(async () => {
    engine = await open()
    all = engine.store.everySchool
    db = engine.store.school(ours)
  })
  afterAll(() => engine.close())
  beforeAll(() => seed(all))

  test.each(Object.entries(reads))('reads only its own: %s', async (_, read) => {
    const rows = await read(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/theirs/)
    expect(JSON.stringify(rows)).not.toContain(theirs)
  })
})

/** PostgreSQL reads the table inside an expression of the same name; SQLite calls it a circle. */
test.each(engines)('an expression named like the table it reads shows nothing of others: $name', async ({ open }) => {
  const { store, close } = await open()
  await seed(store.everySchool)
  const query = store
    .school(ours)
    .with('grade', (inner) => inner.selectFrom('grade').selectAll())
    .selectFrom('grade')
    .selectAll()
  const rows = await query.execute().catch(() => [])
  expect(JSON.stringify(rows)).not.toMatch(/theirs/)
  await close()
})
