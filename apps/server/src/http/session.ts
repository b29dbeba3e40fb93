import { accessList, accessRules, type Access } from '@console/contract'
import type { Store } from '../db/store.ts'
import { AppError } from './app-error.ts'
import { readToken } from './token.ts'

export const sessionLifeMs = 24 * 60 * 60 * 1000
/** The end of a session slides with use, but is written at most this often. */
const touchEveryMs = 60_000

export type Session = {
  schoolId: string
  sessionId: string
  tokenHash: string
  token: string
  userId: string
  userName: string
  isAdmin: boolean
  access: string[]
  partner: string | null
}

export async function findSession(store: Store, token: string, now: number): Promise<Session | null> {
  const parts = readToken(token)
  if (!parts) return null
  const db = store.school(parts.schoolId)
  const row = await db
    .selectFrom('userSession as s')
    .innerJoin('userAccount as u', 'u.id', 's.userId')
    .select(['s.id', 's.userId', 's.partner', 's.seenAt', 'u.name', 'u.isAdmin'])
    .where('s.tokenHash', '=', parts.tokenHash)
    .where('s.expiresAt', '>', now)
    .where('u.state', '=', 'active')
    .executeTakeFirst()
  if (!row) return null
  if (row.seenAt < now - touchEveryMs) await touch(store, parts.schoolId, parts.tokenHash, now)
  return {
    schoolId: parts.schoolId,
    sessionId: row.id,
    tokenHash: parts.tokenHash,
    token,
    userId: row.userId,
    userName: row.name,
    isAdmin: row.isAdmin,
    access: accessList(row),
    partner: row.partner,
  }
}

async function touch(store: Store, schoolId: string, tokenHash: string, now: number): Promise<void> {
  await store
    .school(schoolId)
    .updateTable('userSession')
    .set({ seenAt: now, expiresAt: now + sessionLifeMs })
    .where('tokenHash', '=', tokenHash)
    .where('seenAt', '<', now - touchEveryMs)
    .execute()
}

/** Throws unless the session may use an endpoint with this access key. */
export async function demandAccess(store: Store, session: Session, access: Exclude<Access, 'public'>): Promise<void> {
  const rule: { administrator?: true; feature?: number } = accessRules[access]
  if (rule.administrator && !session.isAdmin) throw new AppError('access.denied')
  if (rule.feature === undefined) return
  const active = await store
    .school(session.schoolId)
    .selectFrom('userFeature')
    .select('featureId')
    .where('userId', '=', session.userId)
    .where('featureId', '=', rule.feature)
    .where('isActive', '=', true)
    .executeTakeFirst()
  if (!active) throw new AppError('access.featureNeeded')
}
