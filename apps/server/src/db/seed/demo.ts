import { newId } from '../ids.ts'
import { inSchool, type Db, type Store } from '../store.ts'
import { insertPaperSizes } from './paper-sizes.ts'
import { hashPassword } from '../../modules/auth/password.ts'

export const demoPassword = 'Demo-2026!'
export const demoAccounts = { administrator: '13800000001', teacher: '13800000002' } as const

const gradeNames = ['七年级', '八年级', '九年级']
const subjectNames = ['语文', '数学', '英语', '物理', '化学', '生物', '历史', '地理', '道德与法治']
const classesPerGrade = 6
/** The demo school, once, in one transaction. */
export async function seedDemo(store: Store, now: number): Promise<void> {
  const passwordHash = await hashPassword(demoPassword)
  const schoolId = newId()
  await store.everySchool.transaction().execute(async (transaction) => {
    const db = inSchool(transaction, schoolId)
    await db.insertInto('school').values({ name: '示范中学', kind: 'demo', createdAt: now }).execute()
    const grades = gradeNames.map((name, sort) => ({ id: newId(), name, sort, isTraining: true }))
    const subjects = subjectNames.map((name, sort) => ({ id: newId(), name, sort, isTraining: sort < 5 }))
    const classes = grades.flatMap((grade) =>
      Array.from({ length: classesPerGrade }, (_, sort) => ({
        id: newId(),
        gradeId: grade.id,
        name: `${grade.name}（${sort + 1}）班`,
        sort,
        createdAt: now,
      })),
    )
    await db.insertInto('grade').values(grades).execute()
    await db.insertInto('subject').values(subjects).execute()
    await db.insertInto('schoolClass').values(classes).execute()
    await insertPaperSizes(db)
    const administrator = await insertAccount(
      db,
      { name: '王雅琴', phone: demoAccounts.administrator, isAdmin: true },
      passwordHash,
      now,
    )
    const teacher = await insertAccount(
      db,
      { name: '李明远', phone: demoAccounts.teacher, isAdmin: false },
      passwordHash,
      now,
    )
    const [, mathematics, , physics] = subjects.map((subject) => subject.id)
    const [first, second, , , , , third] = classes.map((item) => item.id)
    const pairs = [
      [teacher, first, mathematics],
      [teacher, second, mathematics],
      [teacher, third, physics],
      [administrator, first, physics],
    ] as const
    await db
      .insertInto('teaching')
      .values(pairs.map(([userId, classId = '', subjectId = '']) => ({ userId, classId, subjectId })))
      .execute()
  })
}

async function insertAccount(
  db: Db,
  account: { name: string; phone: string; isAdmin: boolean },
  passwordHash: string,
  now: number,
): Promise<string> {
  const id = newId()
  await db
    .insertInto('userAccount')
    .values({ id, ...account, passwordHash, state: 'active', createdAt: now, updatedAt: now })
    .execute()
  await db.insertInto('signInName').values({ kind: 'phone', name: account.phone, userId: id }).execute()
  await db
    .insertInto('userFeature')
    .values([1, 2, 4, 6].map((featureId) => ({ userId: id, featureId, isActive: true })))
    .execute()
  return id
}
