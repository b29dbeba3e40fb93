import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { engines, type OpenedEngine } from '../../test/engines.ts'
import { newId } from './ids.ts'
import { dump, first, grade, ours, second, seed, theirs } from './school-scope.testing.ts'
import type { Db } from './store.ts'

/** Writes: the other school's rows are byte for byte what they were. */
const writes: Record<string, (db: Db) => Promise<unknown>> = {
  'insert many': (db) =>
    db
      .insertInto('grade')
      .values([
        { ...grade, id: newId() },
        { ...grade, id: newId() },
      ])
      .execute(),
  'insert with a subquery as a value': (db) =>
    db
      .insertInto('setting')
      .values((eb) => ({
        name: 'copied',
        valueJson: eb.selectFrom('setting').select('valueJson').where('name', '=', 'title'),
      }))
      .execute(),
  upsert: (db) =>
    db
      .insertInto('grade')
      .values([grade, { ...grade, id: second }])
      .onConflict((oc) => oc.columns(['schoolId', 'id']).doUpdateSet({ name: 'mine' }))
      .execute(),
  'upsert of json': (db) =>
    db
      .insertInto('setting')
      .values({ name: 'title', valueJson: 'text' })
      .onConflict((oc) => oc.columns(['schoolId', 'name']).doUpdateSet({ valueJson: ['x'] }))
      .execute(),
  'upsert on a name that is unique over all schools': (db) =>
    db
      .insertInto('signInName')
      .values({ kind: 'phone', name: 'theirs', userId: second })
      .onConflict((oc) => oc.columns(['kind', 'name']).doUpdateSet({ userId: second }))
      .execute(),
  'the same with an or-condition': (db) =>
    db
      .insertInto('signInName')
      .values({ kind: 'phone', name: 'theirs', userId: second })
      .onConflict((oc) =>
        oc
          .columns(['kind', 'name'])
          .doUpdateSet({ userId: second })
          .where(sql<boolean>`1 = 1 or 2 = 2`),
      )
      .execute(),
  'insert or ignore': (db) =>
    db
      .insertInto('grade')
      .values(grade)
      .onConflict((oc) => oc.doNothing())
      .execute(),
  update: (db) => db.updateTable('grade').set({ name: 'changed' }).execute(),
  'update by id or anything': (db) =>
    db
      .updateTable('grade')
      .set({ name: 'changed' })
      .where((eb) => eb.or([eb('id', '=', first), eb('sort', '>=', 0)]))
      .execute(),
  'update with raw or': (db) =>
    db
      .updateTable('grade')
      .set({ name: 'changed' })
      .where(sql<boolean>`1 = 1 or 2 = 2`)
      .execute(),
  'update under an alias': (db) =>
    db.updateTable('grade as g').set({ name: 'changed' }).where('g.id', '=', first).execute(),
  'update with a subquery': (db) =>
    db
      .updateTable('grade')
      .set((eb) => ({ name: eb.selectFrom('schoolClass').select((inner) => inner.fn.max('schoolClass.name').as('m')) }))
      .execute(),
  'update from another table': (db) =>
    db
      .updateTable('grade')
      .from('schoolClass')
      .set((eb) => ({ name: eb.ref('schoolClass.name') }))
      .whereRef('schoolClass.gradeId', '=', 'grade.id')
      .execute(),
  'update beside an expression of the same name': (db) =>
    db
      .with('grade', (query) => query.selectFrom('schoolClass').selectAll())
      .updateTable('grade')
      .set({ name: 'changed' })
      .execute(),
  delete: (db) => db.deleteFrom('teaching').execute(),
  'delete with raw or': (db) =>
    db
      .deleteFrom('teaching')
      .where(sql<boolean>`1 = 1 or 2 = 2`)
      .execute(),
  'delete with a subquery': (db) =>
    db
      .deleteFrom('grade')
      .where('id', 'in', (eb) => eb.selectFrom('schoolClass').select('gradeId'))
      .execute(),
  'delete beside an expression of the same name': (db) =>
    db
      .with('teaching', (query) => query.selectFrom('schoolClass').selectAll())
      .deleteFrom('teaching')
      .execute(),
  'in a transaction': (db) => db.transaction().execute((transaction) => transaction.deleteFrom('grade').execute()),
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
  beforeEach(() => seed(all))

  test.each(Object.entries(writes))('changes only its own: %s', async (_, write) => {
    const before = { ours: await dump(all, ours), theirs: await dump(all, theirs) }
    await write(db)
    expect(await dump(all, theirs)).toBe(before.theirs)
  })

  test('what is written is really written', async () => {
    await writes['upsert']?.(db)
    await writes['update']?.(db)
    expect(await db.selectFrom('grade').select('name').execute()).toEqual([{ name: 'changed' }, { name: 'changed' }])
    const gone = await db.deleteFrom('teaching').returning(['classId', 'schoolId']).execute()
    expect(gone).toEqual([{ classId: first, schoolId: ours }])
    const added = await db
      .insertInto('grade')
      .values({ ...grade, id: newId() })
      .returningAll()
      .execute()
    expect(added).toMatchObject([{ schoolId: ours, isTraining: true }])
  })
})
