import { change } from '../../db/change.ts'
import { newId } from '../../db/ids.ts'
import type { Db } from '../../db/store.ts'
import { hashToken, makeToken } from '../../http/token.ts'
import { sessionLifeMs } from '../../http/session.ts'
import type { Services } from '../../services.ts'

const sessionsKept = 20
const handOverMs = 2 * 60_000

export type Caller = { requestId: string; address: string; device: string; now: number }
export type PartnerSecret = { idToken?: string; refreshToken?: string; accessToken?: string }

type Begin = {
  schoolId: string
  userId: string
  /** By which door: 'password', 'sms', or the partner. */
  door: string
  partner?: string
  secret?: PartnerSecret
  /** A token handed to a partner's server: short until its first use makes it an ordinary session. */
  handOver?: boolean
  /** What belongs into the same transaction, such as linking the partner's account. */
  also?: (db: Db) => Promise<void>
}

/** Begins a session and returns its token, which only the caller ever knows. */
export async function beginSession(services: Services, caller: Caller, begin: Begin): Promise<string> {
  const { schoolId, userId, door, now } = { ...begin, now: caller.now }
  const token = makeToken(schoolId)
  const sessionId = newId()
  const entry = {
    action: 'session.begin',
    targetKind: 'session',
    targetId: sessionId,
    data: { door, device: caller.device },
  }
  await change(services.store, schoolId, { ...caller, userId }, entry, async (db) => {
    await begin.also?.(db)
    await db
      .insertInto('userSession')
      .values({
        tokenHash: hashToken(token),
        id: sessionId,
        userId,
        device: caller.device,
        address: caller.address,
        partner: begin.partner ?? null,
        partnerSecret: begin.secret ? services.secrets.encrypt(JSON.stringify(begin.secret)) : null,
        createdAt: now,
        seenAt: begin.handOver ? 0 : now,
        expiresAt: now + (begin.handOver ? handOverMs : sessionLifeMs),
      })
      .execute()
    await db.updateTable('userAccount').set({ seenAt: now }).where('id', '=', userId).execute()
    await deleteOldest(db, userId)
  })
  return token
}

async function deleteOldest(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('userSession')
    .where('userId', '=', userId)
    .where('tokenHash', 'in', (query) =>
      query
        .selectFrom('userSession as old')
        .select('old.tokenHash')
        .where('old.userId', '=', userId)
        .orderBy('old.createdAt', 'desc')
        .limit(1000)
        .offset(sessionsKept),
    )
    .execute()
}

/** Deletes sessions of a user and says which they were, so that their sockets can be told after the commit. */
export async function deleteSessions(db: Db, userId: string, but?: { tokenHash: string }): Promise<string[]> {
  const rows = await db
    .deleteFrom('userSession')
    .where('userId', '=', userId)
    .$if(but !== undefined, (query) => query.where('tokenHash', '!=', but?.tokenHash ?? ''))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export function readPartnerSecret(services: Services, sealed: string | null): PartnerSecret {
  const text = sealed ? services.secrets.decrypt(sealed) : null
  return text ? (JSON.parse(text) as PartnerSecret) : {}
}
