import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { engines, type OpenedEngine } from '../../test/engines.ts'
import { SchoolScopeError } from './school-scope.ts'
import { dump, grade, ours, second, seed, theirs } from './school-scope.testing.ts'
import { inSchool, type Db } from './store.ts'

const refused: Record<string, (db: Db) => Promise<unknown>> = {
  'a raw query': (db) => sql`select * from grade`.execute(db),
  'raw SQL that reads by itself': (db) =>
    db
      .selectFrom('grade')
      .select(sql`(select max(name) from school_class)`.as('name'))
      .execute(),
  'a raw table': (db) =>
    db
      .selectFrom(sql<{ name: string }>`grade`.as('g'))
      .select('name')
      .execute(),
  'a raw expression before': (db) =>
    db
      .with('x', () => sql<{ name: string }>`(select name from grade)`)
      .selectFrom('x')
      .selectAll()
      .execute(),
  'raw SQL at the end': (db) =>
    db
      .selectFrom('grade')
      .select('name')
      .modifyEnd(sql`union select name from school_class`)
      .execute(),
  'delete using': (db) =>
    db.deleteFrom('grade').using('schoolClass').whereRef('schoolClass.gradeId', '=', 'grade.id').execute(),
  'insert from select': (db) =>
    db
      .insertInto('grade')
      .columns(['id', 'name', 'sort', 'isTraining'])
      .expression(db.selectFrom('grade').select(['id', 'name', 'sort', 'isTraining']))
      .execute(),
  'a right join': (db) =>
    db.selectFrom('grade').rightJoin('schoolClass', 'schoolClass.gradeId', 'grade.id').selectAll().execute(),
  'a full join': (db) =>
    db.selectFrom('grade').fullJoin('schoolClass', 'schoolClass.gradeId', 'grade.id').selectAll().execute(),
  'a cross join': (db) => db.selectFrom('grade').crossJoin('schoolClass').selectAll('grade').execute(),
  'saying the school in an insert': (db) =>
    db
      .insertInto('grade')
      .values({ ...grade, schoolId: theirs })
      .execute(),
  'moving a row': (db) =>
    db
      .updateTable('grade')
      .set({ schoolId: theirs } as never)
      .execute(),
  'moving a row by reference': (db) =>
    db
      .updateTable('grade')
      .set((eb) => eb.ref('grade.schoolId'), theirs as never)
      .execute(),
  'moving a row by upsert': (db) =>
    db
      .insertInto('grade')
      .values(grade)
      .onConflict((oc) => oc.columns(['schoolId', 'id']).doUpdateSet({ schoolId: theirs } as never))
      .execute(),
  replace: (db) => db.replaceInto('grade').values(grade).execute(),
  'insert or replace': (db) =>
    db.insertInto('signInName').orReplace().values({ kind: 'phone', name: 'theirs', userId: second }).execute(),
  'default values': (db) => db.insertInto('grade').defaultValues().execute(),
  merge: (db) =>
    db.mergeInto('grade').using('schoolClass', 'schoolClass.gradeId', 'grade.id').whenMatched().thenDelete().execute(),
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

  test.each(Object.entries(refused))('refuses %s', async (_, work) => {
    const before = [await dump(all, ours), await dump(all, theirs)]
    await expect(async () => work(db)).rejects.toThrow(SchoolScopeError)
    expect([await dump(all, ours), await dump(all, theirs)]).toEqual(before)
  })
})
