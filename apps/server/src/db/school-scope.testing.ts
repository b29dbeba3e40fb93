import { newId } from './ids.ts'
import type { Db } from './store.ts'

export const ours = newId()
export const theirs = newId()
export const first = newId()
export const second = newId()
const subject = newId()

/** The same ids in both schools; only the names tell whose a row is. */
export async function seed(db: Db): Promise<void> {
  for (const table of ['grade', 'schoolClass', 'teaching', 'setting', 'signInName'] as const)
    await db.deleteFrom(table).execute()
  for (const [schoolId, mark] of [
    [ours, 'ours'],
    [theirs, 'theirs'],
  ] as const) {
    await db
      .insertInto('grade')
      .values([first, second].map((id, sort) => ({ schoolId, id, name: `${mark} ${sort}`, sort, isTraining: false })))
      .execute()
    await db
      .insertInto('schoolClass')
      .values(
        [first, second].map((id, sort) => ({ schoolId, id, gradeId: id, name: `${mark} ${sort}`, sort, createdAt: 0 })),
      )
      .execute()
    await db.insertInto('teaching').values({ schoolId, classId: first, subjectId: subject, userId: first }).execute()
    await db.insertInto('setting').values({ schoolId, name: 'title', valueJson: { mark } }).execute()
    await db.insertInto('signInName').values({ schoolId, kind: 'phone', name: mark, userId: first }).execute()
  }
}

export const dump = async (db: Db, schoolId: string) =>
  JSON.stringify([
    await db.selectFrom('grade').selectAll().where('schoolId', '=', schoolId).orderBy('id').execute(),
    await db.selectFrom('schoolClass').selectAll().where('schoolId', '=', schoolId).orderBy('id').execute(),
    await db.selectFrom('teaching').selectAll().where('schoolId', '=', schoolId).execute(),
    await db.selectFrom('setting').selectAll().where('schoolId', '=', schoolId).execute(),
    await db.selectFrom('signInName').selectAll().where('schoolId', '=', schoolId).execute(),
  ])

export const grade = { id: first, name: 'new', sort: 9, isTraining: true }
