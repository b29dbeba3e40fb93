import type { Db } from '../../db/store.ts'
import { hashToken } from '../../http/token.ts'

export type OneTimeKind = 'sms' | 'ticket-used' | 'partner-state' | 'partner-nonce' | 'wfl-nonce'

/** All under the system school: these come before anybody knows which school it will be. */
export async function putOneTime(
  db: Db,
  kind: OneTimeKind,
  key: string,
  data: unknown,
  now: number,
  lifeMs: number,
): Promise<void> {
  const row = { dataJson: data, createdAt: now, expiresAt: now + lifeMs }
  await db
    .insertInto('oneTime')
    .values({ kind, keyHash: hashToken(key), ...row })
    .onConflict((conflict) => conflict.columns(['schoolId', 'kind', 'keyHash']).doUpdateSet(row))
    .execute()
}

/** True for the first who says it, false for everybody after: how a thing is used once. */
export async function markUsed(db: Db, kind: OneTimeKind, key: string, now: number, lifeMs: number): Promise<boolean> {
  const inserted = await db
    .insertInto('oneTime')
    .values({ kind, keyHash: hashToken(key), dataJson: {}, createdAt: now, expiresAt: now + lifeMs })
    .onConflict((conflict) => conflict.columns(['schoolId', 'kind', 'keyHash']).doNothing())
    .returning('keyHash')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function selectOptionalOneTime<T>(db: Db, kind: OneTimeKind, key: string, now: number): Promise<T | null> {
  const row = await db
    .selectFrom('oneTime')
    .select('dataJson')
    .where('kind', '=', kind)
    .where('keyHash', '=', hashToken(key))
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ? (row.dataJson as T) : null
}

/** Gives it to one caller only, also when two ask at once. */
export async function takeOneTime<T>(db: Db, kind: OneTimeKind, key: string, now: number): Promise<T | null> {
  const row = await db
    .deleteFrom('oneTime')
    .where('kind', '=', kind)
    .where('keyHash', '=', hashToken(key))
    .returning(['dataJson', 'expiresAt'])
    .executeTakeFirst()
  return row && row.expiresAt > now ? (row.dataJson as T) : null
}
