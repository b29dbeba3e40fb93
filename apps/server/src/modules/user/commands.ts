import type { BodyOf, userAdd, userUpdate } from '@console/contract'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/store.ts'
import { isUniqueViolation } from '../../db/unique-violation.ts'
import { AppError, fieldError } from '../../http/app-error.ts'
import { deleteSessions } from '../auth/sessions.ts'
import { selectUser } from './queries.ts'

type Rights = { subjectIds?: string[] | undefined; features?: { featureId: number; isActivity: 0 | 1 }[] | undefined }

export async function insertUser(
  db: Db,
  body: BodyOf<typeof userAdd>,
  passwordHash: string,
  now: number,
): Promise<string> {
  const id = newId()
  await insertPhone(db, id, body.phone)
  await db
    .insertInto('userAccount')
    .values({
      id,
      name: body.name,
      phone: body.phone,
      passwordHash,
      isAdmin: body.isAdmin,
      state: 'active',
      partnerType: body.partnerType,
      createdAt: now,
      updatedAt: now,
    })
    .execute()
  await replaceRights(db, id, body)
  return id
}

/** Gives back the sessions that ended with the change. */
export async function updateUser(
  db: Db,
  body: BodyOf<typeof userUpdate>,
  ownId: string,
  now: number,
): Promise<string[]> {
  const before = await selectUser(db, body.id)
  const isOwn = body.id === ownId
  const loses = body.isAdmin === false || body.state === 'disabled'
  if (isOwn && (loses || body.features !== undefined || body.partnerType !== undefined))
    throw new AppError('user.ownRights')
  if (before.isAdmin && loses) await demandOtherAdministrator(db, body.id)
  if (body.phone !== undefined && body.phone !== before.phone) {
    await db.deleteFrom('signInName').where('userId', '=', body.id).where('kind', '=', 'phone').execute()
    await insertPhone(db, body.id, body.phone)
  }
  const { name, phone, state, isAdmin, partnerType } = body
  const given = Object.fromEntries(
    Object.entries({ name, phone, state, isAdmin, partnerType }).filter(([, value]) => value !== undefined),
  )
  await db
    .updateTable('userAccount')
    .set({ ...given, updatedAt: now })
    .where('id', '=', body.id)
    .execute()
  await replaceRights(db, body.id, body)
  return state === 'disabled' ? deleteSessions(db, body.id) : []
}

/** What the account did stays under its id; the phone number is free for somebody else. */
export async function removeUser(db: Db, id: string, now: number): Promise<string[]> {
  const user = await selectUser(db, id)
  if (user.isAdmin) await demandOtherAdministrator(db, id)
  await db.deleteFrom('signInName').where('userId', '=', id).execute()
  await db
    .updateTable('userAccount')
    .set({ state: 'removed', phone: null, passwordHash: null, updatedAt: now })
    .where('id', '=', id)
    .execute()
  return deleteSessions(db, id)
}

async function insertPhone(db: Db, userId: string, phone: string): Promise<void> {
  try {
    await db.insertInto('signInName').values({ kind: 'phone', name: phone, userId }).execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw fieldError('phone', 'user.phoneTaken')
    throw error
  }
}

/** Two administrators who remove each other at once would each see the other: the school's row lets one wait. */
async function demandOtherAdministrator(db: Db, id: string): Promise<void> {
  await db
    .updateTable('school')
    .set((set) => ({ name: set.ref('name') }))
    .execute()
  const other = await db
    .selectFrom('userAccount')
    .select('id')
    .where('isAdmin', '=', true)
    .where('state', '=', 'active')
    .where('id', '!=', id)
    .executeTakeFirst()
  if (!other) throw new AppError('user.lastAdministrator')
}

async function replaceRights(db: Db, userId: string, rights: Rights): Promise<void> {
  const { subjectIds, features } = rights
  if (subjectIds) {
    const known =
      subjectIds.length === 0 ? [] : await db.selectFrom('subject').select('id').where('id', 'in', subjectIds).execute()
    if (known.length !== new Set(subjectIds).size) throw fieldError('subjectIds', 'access.notFound')
    await db.deleteFrom('userSubject').where('userId', '=', userId).execute()
    if (known.length > 0)
      await db
        .insertInto('userSubject')
        .values(known.map(({ id }) => ({ userId, subjectId: id })))
        .execute()
  }
  if (features) {
    await db.deleteFrom('userFeature').where('userId', '=', userId).execute()
    const rows = features.map(({ featureId, isActivity }) => ({ userId, featureId, isActive: isActivity === 1 }))
    if (rows.length > 0) await db.insertInto('userFeature').values(rows).execute()
  }
}
