import type { ReadDb } from '../../db/store.ts'

const named = ['id', 'name'] as const

export const selectSubjects = (db: ReadDb) => db.selectFrom('subject').select(named).orderBy('sort').execute()
export const selectGrades = (db: ReadDb) => db.selectFrom('grade').select(named).orderBy('sort').execute()

export async function selectPaperSizes(db: ReadDb) {
  const rows = await db.selectFrom('paperSize').select(['id', 'name', 'widthMm', 'heightMm']).orderBy('sort').execute()
  return rows.map((row) => ({ id: row.id, name: row.name, width: row.widthMm, height: row.heightMm }))
}

function classes(db: ReadDb) {
  return db
    .selectFrom('schoolClass as c')
    .innerJoin('grade as g', 'g.id', 'c.gradeId')
    .select(['c.id', 'c.name', 'c.gradeId', 'g.name as gradeName'])
    .orderBy('g.sort')
    .orderBy('c.sort')
}

export const selectClasses = (db: ReadDb) => classes(db).execute()

export const selectClassesOf = (db: ReadDb, userId: string) =>
  classes(db)
    .where('c.id', 'in', (query) => query.selectFrom('teaching').select('classId').where('userId', '=', userId))
    .execute()

/** The grades in which somebody teaches; an administrator's are all. */
export async function selectGradesOf(db: ReadDb, session: { userId: string; isAdmin: boolean }, training = false) {
  let query = db.selectFrom('grade').select(named).orderBy('sort')
  if (training) query = query.where('isTraining', '=', true)
  if (!session.isAdmin) {
    query = query.where('id', 'in', (from) =>
      from
        .selectFrom('teaching as t')
        .innerJoin('schoolClass as c', 'c.id', 't.classId')
        .select('c.gradeId')
        .where('t.userId', '=', session.userId),
    )
  }
  return query.execute()
}

export async function selectTrainingSubjects(
  db: ReadDb,
  session: { userId: string; isAdmin: boolean },
  gradeId: string,
) {
  let query = db.selectFrom('subject').select(named).where('isTraining', '=', true).orderBy('sort')
  query = query.where('id', 'in', (from) => {
    const taught = from
      .selectFrom('teaching as t')
      .innerJoin('schoolClass as c', 'c.id', 't.classId')
      .select('t.subjectId')
      .where('c.gradeId', '=', gradeId)
    return session.isAdmin ? taught : taught.where('t.userId', '=', session.userId)
  })
  return query.execute()
}

/** The classes of a user by subject and grade, in the order of subjects, grades and classes. */
export async function selectClassGroups(db: ReadDb, userId: string) {
  const rows = await db
    .selectFrom('teaching as t')
    .innerJoin('schoolClass as c', 'c.id', 't.classId')
    .innerJoin('grade as g', 'g.id', 'c.gradeId')
    .innerJoin('subject as s', 's.id', 't.subjectId')
    .select(['s.id as subjectId', 's.name as subjectName', 'g.id as gradeId', 'g.name as gradeName', 'c.id', 'c.name'])
    .where('t.userId', '=', userId)
    .orderBy('s.sort')
    .orderBy('g.sort')
    .orderBy('c.sort')
    .execute()
  const groups = Map.groupBy(rows, (row) => `${row.subjectId} ${row.gradeId}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { subjectId, subjectName, gradeId, gradeName } = first
    return [{ subjectId, subjectName, gradeId, gradeName, classes: group.map(({ id, name }) => ({ id, name })) }]
  })
}
