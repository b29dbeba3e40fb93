import { systemSchool } from '../../db/schema.ts'
import type { Db, Store } from '../../db/store.ts'
import { AppError } from '../../http/app-error.ts'

const minute = 60_000
const longestBlock = 60 * minute

/** failures: how many in the window before somebody waits; ticketAfter: before the security check is asked for. */
type Limit = { windowMs: number; failures: number; blockMs: number; ticketAfter: number }

// A whole school sits behind one address, so an address may fail far oftener than an account.
const limits = {
  account: { windowMs: 15 * minute, failures: 10, blockMs: minute, ticketAfter: 3 },
  address: { windowMs: 15 * minute, failures: 100, blockMs: 5 * minute, ticketAfter: 30 },
  code: { windowMs: 5 * minute, failures: 5, blockMs: 5 * minute, ticketAfter: Infinity },
  smsPhone: { windowMs: 24 * 60 * minute, failures: 10, blockMs: 60 * minute, ticketAfter: Infinity },
  smsAddress: { windowMs: 60 * minute, failures: 60, blockMs: 10 * minute, ticketAfter: Infinity },
} as const satisfies Record<string, Limit>

export type AttemptKey = { kind: keyof typeof limits; of: string }

const keyOf = ({ kind, of }: AttemptKey) => `${kind}:${of}`

export type Counted = { needsTicket: boolean; forget: () => Promise<void> }

/**
 * Counts the attempt as failed before it is made and forgets it when it succeeds, so that a thousand tries at once
 * are counted as a thousand. Throws with the wait once there were too many.
 */
export async function countAttempt(store: Store, keys: readonly AttemptKey[], now: number): Promise<Counted> {
  const db = store.school(systemSchool)
  const sorted = keys.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await demandUnblocked(db, sorted, now)
  const counted = await countUp(db, sorted, now)
  const over = sorted
    .map((key) => ({ key: keyOf(key), limit: limits[key.kind], failures: counted.get(keyOf(key)) ?? 1 }))
    .filter(({ failures, limit }) => failures > limit.failures)
  if (over.length > 0) {
    // Each further failure after the limit doubles the wait, up to an hour.
    const waits = over.map(({ limit, failures }) =>
      Math.min(limit.blockMs * 2 ** (failures - limit.failures - 1), longestBlock),
    )
    const wait = Math.max(...waits)
    await db
      .updateTable('attempt')
      .set({ blockedUntil: now + wait })
      .where(
        'key',
        'in',
        over.map(({ key }) => key),
      )
      .execute()
    throw new AppError('auth.blocked', { wait })
  }
  return {
    needsTicket: keys.some((key) => (counted.get(keyOf(key)) ?? 0) > limits[key.kind].ticketAfter),
    forget: () => forget(db, keys),
  }
}

/** The account starts afresh; of an address only this one try is taken back, or one right password would wash it clean. */
async function forget(db: Db, keys: readonly AttemptKey[]): Promise<void> {
  const [own = '', ...shared] = keys.map(keyOf)
  await db.deleteFrom('attempt').where('key', '=', own).execute()
  if (shared.length === 0) return
  await db
    .updateTable('attempt')
    .set((set) => ({ failures: set('failures', '-', 1) }))
    .where('key', 'in', shared)
    .where('failures', '>', 0)
    .execute()
}

async function demandUnblocked(db: Db, keys: readonly AttemptKey[], now: number): Promise<void> {
  const row = await db
    .selectFrom('attempt')
    .select((select) => select.fn.max('blockedUntil').as('until'))
    .where('key', 'in', keys.map(keyOf))
    .executeTakeFirst()
  if (row?.until && row.until > now) throw new AppError('auth.blocked', { wait: row.until - now })
}

/** One statement for all keys. A new row begins its window now; an old one begins anew when its window is over. */
async function countUp(db: Db, keys: readonly AttemptKey[], now: number): Promise<Map<string, number>> {
  const rows = await db
    .insertInto('attempt')
    // blockedUntil of what was to be inserted carries the start of the window, which differs from key to key.
    .values(
      keys.map((key) => ({
        key: keyOf(key),
        failures: 1,
        firstAt: now,
        blockedUntil: now - limits[key.kind].windowMs,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['schoolId', 'key']).doUpdateSet((set) => {
        const isOver = set('attempt.firstAt', '<', set.ref('excluded.blockedUntil'))
        return {
          failures: set
            .case()
            .when(isOver)
            .then(1)
            .else(set('attempt.failures', '+', 1))
            .end(),
          firstAt: set.case().when(isOver).then(now).else(set.ref('attempt.firstAt')).end(),
        }
      }),
    )
    .returning(['key', 'failures'])
    .execute()
  return new Map(rows.map((row) => [row.key, row.failures]))
}
