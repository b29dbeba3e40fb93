import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { engines, type OpenedEngine } from '../../test/engines.ts'
import { newId } from './ids.ts'
import { SchoolScopeError } from './school-scope.ts'
import { inSchool, type Db } from './store.ts'

const ours = newId()
const theirs = newId()
const [first, second, subject] = [newId(), newId(), newId()]

/** The same ids in both schools; only the names tell whose a row is. */
async function seed(db: Db): Promise<void> {
  for (const table of ['grade', 'schoolClass', 'teaching', 'setting', 'signInName'] as const) await db.deleteFrom(table).execute()
  for (const [schoolId, mark] of [[ours, 'ours'], [theirs, 'theirs']] as const) {
    await db.insertInto('grade').values([first, second].map((id, sort) => ({ schoolId, id, name: `${mark} ${sort}`, sort, isTraining: false }))).execute()
    await db.insertInto('schoolClass').values([first, second].map((id, sort) => ({ schoolId, id, gradeId: id, name: `${mark} ${sort}`, sort, createdAt: 0 }))).execute()
    await db.insertInto('teaching').values({ schoolId, classId: first, subjectId: subject, userId: first }).execute()
    await db.insertInto('setting').values({ schoolId, name: 'title', valueJson: { mark } }).execute()
    await db.insertInto('signInName').values({ schoolId, kind: 'phone', name: mark, userId: first }).execute()
  }
}

const dump = async (db: Db, schoolId: string) =>
  JSON.stringify([
    await db.selectFrom('grade').selectAll().where('schoolId', '=', schoolId).orderBy('id').execute(),
    await db.selectFrom('schoolClass').selectAll().where('schoolId', '=', schoolId).orderBy('id').execute(),
    await db.selectFrom('teaching').selectAll().where('schoolId', '=', schoolId).execute(),
    await db.selectFrom('setting').selectAll().where('schoolId', '=', schoolId).execute(),
    await db.selectFrom('signInName').selectAll().where('schoolId', '=', schoolId).execute(),
  ])

/** Reads: whatever comes back must not contain the other school's mark. */
const reads: Record<string, (db: Db) => Promise<unknown[]>> = {
  'all rows': (db) => db.selectFrom('grade').selectAll().execute(),
  'an alias': (db) => db.selectFrom('grade as g').select(['g.name', 'g.schoolId']).execute(),
  'two tables': (db) => db.selectFrom(['grade as g', 'schoolClass as c']).select(['g.name', 'c.name as className']).execute(),
  'or-conditions': (db) => db.selectFrom('grade').selectAll().where((eb) => eb.or([eb('sort', '=', 0), eb('sort', '>=', 0)])).execute(),
  'a raw or-condition': (db) => db.selectFrom('grade').selectAll().where(sql<boolean>`sort = 0 or sort >= 0`).execute(),
  'a raw or-condition in a join': (db) =>
    db.selectFrom('grade').innerJoin('schoolClass', (join) => join.on(sql<boolean>`1 = 1 or 2 = 2`)).select(['grade.name', 'schoolClass.name as className']).execute(),
  'the other school by name': async (db) => [{}, ...(await db.selectFrom('grade').selectAll().where('schoolId', '=', theirs).execute())],
  'an inner join': (db) => db.selectFrom('grade').innerJoin('schoolClass', 'schoolClass.gradeId', 'grade.id').select(['grade.name', 'schoolClass.name as className']).execute(),
  'a left join': (db) => db.selectFrom('grade').leftJoin('schoolClass as c', 'c.gradeId', 'grade.id').select(['grade.name', 'c.name as className']).execute(),
  'a left join without a match': (db) =>
    db.selectFrom('grade').leftJoin('schoolClass as c', (join) => join.onRef('c.gradeId', '=', 'grade.id').on('c.name', 'like', 'theirs%')).select(['grade.name', 'c.name as className']).execute(),
  'a join with a subquery': (db) =>
    db.selectFrom('grade').innerJoin((eb) => eb.selectFrom('schoolClass').selectAll().as('c'), (join) => join.onRef('c.gradeId', '=', 'grade.id')).select(['grade.name', 'c.name as className']).execute(),
  'a subquery in where': (db) =>
    db.selectFrom('grade').select('name').where('id', 'in', (eb) => eb.selectFrom('schoolClass').select('gradeId').where('name', 'like', 'ours%')).execute(),
  'exists of the other school': async (db) => [
    {},
    ...(await db.selectFrom('grade').selectAll().where((eb) => eb.exists(eb.selectFrom('schoolClass').select('id').where('name', 'like', 'theirs%'))).execute()),
  ],
  'a subquery in select': (db) =>
    db.selectFrom('grade').select((eb) => eb.selectFrom('schoolClass as c').select((inner) => inner.fn.max('c.name').as('m')).as('name')).execute(),
  'a subquery in from': (db) => db.selectFrom((eb) => eb.selectFrom('grade').selectAll().as('g')).selectAll().execute(),
  'an expression before': (db) => db.with('mine', (query) => query.selectFrom('grade').selectAll()).selectFrom('mine').selectAll().execute(),
  'expressions of expressions': (db) =>
    db
      .with('a', (query) => query.selectFrom('grade').selectAll())
      .with('b', (query) => query.selectFrom('a').innerJoin('schoolClass', 'schoolClass.gradeId', 'a.id').select(['schoolClass.name', 'a.id']))
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
          .unionAll((eb) => eb.selectFrom('tree').innerJoin('schoolClass', 'schoolClass.gradeId', 'tree.id').select(['tree.id', 'schoolClass.name', sql<number>`depth + 1`.as('depth')]).where('depth', '<', 1)),
      )
      .selectFrom('tree')
      .selectAll()
      .execute(),
  'a union': (db) => db.selectFrom('grade').select('name').union(db.selectFrom('schoolClass').select('name')).execute(),
  'an expression in a subquery does not hide the table outside': (db) =>
    db
      .selectFrom((eb) => eb.selectFrom(db.with('schoolClass', (query) => query.selectFrom('grade').selectAll()).selectFrom('schoolClass').selectAll().as('inside')).selectAll().as('s'))
      .innerJoin('schoolClass', 'schoolClass.id', 's.id')
      .select(['s.name', 'schoolClass.name as className'])
      .execute(),
  counts: async (db) => {
    const rows = await db.selectFrom('grade').select((eb) => eb.fn.countAll<number>().as('n')).execute()
    expect(rows).toEqual([{ n: 2 }])
    return rows
  },
  'an aggregate over groups': (db) => db.selectFrom('schoolClass').select(['gradeId', (eb) => eb.fn.max('name').as('name')]).groupBy('gradeId').having((eb) => eb.fn.countAll(), '=', 1).execute(),
}

const grade = { id: first, name: 'new', sort: 9, isTraining: true }

/** Writes: the other school's rows are byte for byte what they were. */
const writes: Record<string, (db: Db) => Promise<unknown>> = {
  'insert many': (db) => db.insertInto('grade').values([{ ...grade, id: newId() }, { ...grade, id: newId() }]).execute(),
  'insert with a subquery as a value': (db) =>
    db.insertInto('setting').values((eb) => ({ name: 'copied', valueJson: eb.selectFrom('setting').select('valueJson').where('name', '=', 'title') })).execute(),
  upsert: (db) => db.insertInto('grade').values([grade, { ...grade, id: second }]).onConflict((oc) => oc.columns(['schoolId', 'id']).doUpdateSet({ name: 'mine' })).execute(),
  'upsert of json': (db) => db.insertInto('setting').values({ name: 'title', valueJson: 'text' }).onConflict((oc) => oc.columns(['schoolId', 'name']).doUpdateSet({ valueJson: ['x'] })).execute(),
  'upsert on a name that is unique over all schools': (db) =>
    db.insertInto('signInName').values({ kind: 'phone', name: 'theirs', userId: second }).onConflict((oc) => oc.columns(['kind', 'name']).doUpdateSet({ userId: second })).execute(),
  'the same with an or-condition': (db) =>
    db
      .insertInto('signInName')
      .values({ kind: 'phone', name: 'theirs', userId: second })
      .onConflict((oc) => oc.columns(['kind', 'name']).doUpdateSet({ userId: second }).where(sql<boolean>`1 = 1 or 2 = 2`))
      .execute(),
  'insert or ignore': (db) => db.insertInto('grade').values(grade).onConflict((oc) => oc.doNothing()).execute(),
  update: (db) => db.updateTable('grade').set({ name: 'changed' }).execute(),
  'update by id or anything': (db) => db.updateTable('grade').set({ name: 'changed' }).where((eb) => eb.or([eb('id', '=', first), eb('sort', '>=', 0)])).execute(),
  'update with raw or': (db) => db.updateTable('grade').set({ name: 'changed' }).where(sql<boolean>`1 = 1 or 2 = 2`).execute(),
  'update under an alias': (db) => db.updateTable('grade as g').set({ name: 'changed' }).where('g.id', '=', first).execute(),
  'update with a subquery': (db) =>
    db.updateTable('grade').set((eb) => ({ name: eb.selectFrom('schoolClass').select((inner) => inner.fn.max('schoolClass.name').as('m')) })).execute(),
  'update from another table': (db) =>
    db.updateTable('grade').from('schoolClass').set((eb) => ({ name: eb.ref('schoolClass.name') })).whereRef('schoolClass.gradeId', '=', 'grade.id').execute(),
  'update beside an expression of the same name': (db) =>
    db.with('grade', (query) => query.selectFrom('schoolClass').selectAll()).updateTable('grade').set({ name: 'changed' }).execute(),
  delete: (db) => db.deleteFrom('teaching').execute(),
  'delete with raw or': (db) => db.deleteFrom('teaching').where(sql<boolean>`1 = 1 or 2 = 2`).execute(),
  'delete with a subquery': (db) => db.deleteFrom('grade').where('id', 'in', (eb) => eb.selectFrom('schoolClass').select('gradeId')).execute(),
  'delete beside an expression of the same name': (db) => db.with('teaching', (query) => query.selectFrom('schoolClass').selectAll()).deleteFrom('teaching').execute(),
  'in a transaction': (db) => db.transaction().execute((transaction) => transaction.deleteFrom('grade').execute()),
}

const refused: Record<string, (db: Db) => Promise<unknown>> = {
  'a raw query': (db) => sql`select * from grade`.execute(db),
  'raw SQL that reads by itself': (db) => db.selectFrom('grade').select(sql`(select max(name) from school_class)`.as('name')).execute(),
  'a raw table': (db) => db.selectFrom(sql<{ name: string }>`grade`.as('g')).select('name').execute(),
  'a raw expression before': (db) => db.with('x', () => sql<{ name: string }>`(select name from grade)`).selectFrom('x').selectAll().execute(),
  'raw SQL at the end': (db) => db.selectFrom('grade').select('name').modifyEnd(sql`union select name from school_class`).execute(),
  'delete using': (db) => db.deleteFrom('grade').using('schoolClass').whereRef('schoolClass.gradeId', '=', 'grade.id').execute(),
  'insert from select': (db) => db.insertInto('grade').columns(['id', 'name', 'sort', 'isTraining']).expression(db.selectFrom('grade').select(['id', 'name', 'sort', 'isTraining'])).execute(),
  'a right join': (db) => db.selectFrom('grade').rightJoin('schoolClass', 'schoolClass.gradeId', 'grade.id').selectAll().execute(),
  'a full join': (db) => db.selectFrom('grade').fullJoin('schoolClass', 'schoolClass.gradeId', 'grade.id').selectAll().execute(),
  'a cross join': (db) => db.selectFrom('grade').crossJoin('schoolClass').selectAll('grade').execute(),
  'saying the school in an insert': (db) => db.insertInto('grade').values({ ...grade, schoolId: theirs }).execute(),
  'moving a row': (db) => db.updateTable('grade').set({ schoolId: theirs } as never).execute(),
  'moving a row by reference': (db) => db.updateTable('grade').set((eb) => eb.ref('grade.schoolId'), theirs as never).execute(),
  'moving a row by upsert': (db) => db.insertInto('grade').values(grade).onConflict((oc) => oc.columns(['schoolId', 'id']).doUpdateSet({ schoolId: theirs } as never)).execute(),
  replace: (db) => db.replaceInto('grade').values(grade).execute(),
  'insert or replace': (db) => db.insertInto('signInName').orReplace().values({ kind: 'phone', name: 'theirs', userId: second }).execute(),
  'default values': (db) => db.insertInto('grade').defaultValues().execute(),
  merge: (db) => db.mergeInto('grade').using('schoolClass', 'schoolClass.gradeId', 'grade.id').whenMatched().thenDelete().execute(),
  'the schema': (db) => db.schema.dropTable('grade').execute(),
  'another school inside a school': (db) => inSchool(db, theirs).insertInto('grade').values(grade).execute(),
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

  test.each(Object.entries(reads))('reads only its own: %s', async (_, read) => {
    const rows = await read(db)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toMatch(/theirs/)
    expect(JSON.stringify(rows)).not.toContain(theirs)
  })

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
    const added = await db.insertInto('grade').values({ ...grade, id: newId() }).returningAll().execute()
    expect(added).toMatchObject([{ schoolId: ours, isTraining: true }])
  })

  test.each(Object.entries(refused))('refuses %s', async (_, work) => {
    const before = [await dump(all, ours), await dump(all, theirs)]
    await expect(async () => work(db)).rejects.toThrow(SchoolScopeError)
    expect([await dump(all, ours), await dump(all, theirs)]).toEqual(before)
  })
})

/** PostgreSQL reads the table inside an expression of the same name; SQLite calls it a circle. */
test.each(engines)('an expression named like the table it reads shows nothing of others: $name', async ({ open }) => {
  const { store, close } = await open()
  await seed(store.everySchool)
  const query = store.school(ours).with('grade', (inner) => inner.selectFrom('grade').selectAll()).selectFrom('grade').selectAll()
  const rows = await query.execute().catch(() => [])
  expect(JSON.stringify(rows)).not.toMatch(/theirs/)
  await close()
})
