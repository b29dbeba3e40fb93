import { accessList, type CurrentUser, type PartnerType, type User, partnerTypes } from '@console/contract'
import type { ReadDb } from '../../db/store.ts'
import { AppError } from '../../http/app-error.ts'

const partnerTypeOf = (value: string | null): PartnerType | null =>
  partnerTypes.find((known) => known === value) ?? null

type FeatureRow = { userId: string; featureId: number; isActive: boolean }
type SubjectRow = { userId: string; id: string; name: string }

const presentFeature = (row: { featureId: number; isActive: boolean }) => ({
  featureId: row.featureId,
  isActivity: row.isActive ? (1 as const) : (0 as const),
})

/** The subjects that were given to users and those that they teach, each once. */
export async function selectSubjectsOf(db: ReadDb, userIds: readonly string[]): Promise<SubjectRow[]> {
  if (userIds.length === 0) return []
  const rows = await db
    .selectFrom('userSubject as us')
    .innerJoin('subject as s', 's.id', 'us.subjectId')
    .select(['us.userId', 's.id', 's.name', 's.sort'])
    .where('us.userId', 'in', userIds)
    .union(
      db
        .selectFrom('teaching as t')
        .innerJoin('subject as s', 's.id', 't.subjectId')
        .select(['t.userId', 's.id', 's.name', 's.sort'])
        .where('t.userId', 'in', userIds),
    )
    .orderBy('sort')
    .execute()
  return rows
}

async function selectFeaturesOf(db: ReadDb, userIds: readonly string[]): Promise<FeatureRow[]> {
  if (userIds.length === 0) return []
  return db
    .selectFrom('userFeature')
    .select(['userId', 'featureId', 'isActive'])
    .where('userId', 'in', userIds)
    .orderBy('featureId')
    .execute()
}

export async function presentCurrentUser(
  db: ReadDb,
  session: { userId: string; schoolId: string; token: string; partner: string | null },
): Promise<CurrentUser> {
  const [row, school, subjects, features] = await Promise.all([
    db
      .selectFrom('userAccount')
      .select(['name', 'avatar', 'phone', 'isAdmin', 'partnerType'])
      .where('id', '=', session.userId)
      .executeTakeFirst(),
    db.selectFrom('school').select('name').executeTakeFirst(),
    selectSubjectsOf(db, [session.userId]),
    selectFeaturesOf(db, [session.userId]),
  ])
  if (!row) throw new AppError('access.signInNeeded')
  return {
    token: session.token,
    userId: session.userId,
    schoolId: session.schoolId,
    schoolName: school?.name ?? '',
    name: row.name,
    avatar: row.avatar,
    phone: row.phone,
    isAdmin: row.isAdmin,
    access: accessList(row),
    userSubjects: subjects.map(({ id, name }) => ({ id, name })),
    features: features.map(presentFeature),
    partnerType: partnerTypeOf(session.partner ?? row.partnerType),
  }
}

export type UserRow = {
  id: string
  name: string
  phone: string | null
  avatar: string | null
  isAdmin: boolean
  state: 'active' | 'disabled' | 'removed'
  partnerType: string | null
  createdAt: number
  seenAt: number | null
}
export const userColumns = [
  'id',
  'name',
  'phone',
  'avatar',
  'isAdmin',
  'state',
  'partnerType',
  'createdAt',
  'seenAt',
] as const

export async function presentUsers(db: ReadDb, rows: readonly UserRow[]): Promise<User[]> {
  const ids = rows.map((row) => row.id)
  const [subjects, features] = await Promise.all([selectSubjectsOf(db, ids), selectFeaturesOf(db, ids)])
  const subjectsOf = Map.groupBy(subjects, (subject) => subject.userId)
  const featuresOf = Map.groupBy(features, (feature) => feature.userId)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    phone: row.phone,
    avatar: row.avatar,
    isAdmin: row.isAdmin,
    state: row.state === 'disabled' ? 'disabled' : 'active',
    partnerType: partnerTypeOf(row.partnerType),
    userSubjects: (subjectsOf.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
    features: (featuresOf.get(row.id) ?? []).map(presentFeature),
    createdAt: row.createdAt,
    seenAt: row.seenAt,
  }))
}
