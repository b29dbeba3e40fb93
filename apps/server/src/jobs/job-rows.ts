import { sql, type ExpressionBuilder, type Selectable, type Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Db, Store } from '../db/store.ts'

export type JobRow = Selectable<Database['job']>
export type JobKey = Pick<JobRow, 'schoolId' | 'id'>
/** A row as one process holds it: the attempt tells this lease from a later one of the same process. */
export type Held = JobKey & { leaseOwner: string; attempt: number }

export const liveStates: JobRow['state'][] = ['queued', 'running']

const isDue = (now: number) => (eb: ExpressionBuilder<Database, 'job'>) =>
  eb.or([
    eb.and([eb('state', '=', 'queued'), eb('runAt', '<=', now)]),
    eb.and([eb('state', '=', 'running'), eb('leaseUntil', '<', now)]),
  ])

type Lease = { owner: string; now: number; leaseMs: number; kinds: readonly string[] }

const leased = ({ owner, now, leaseMs }: Lease) => ({
  state: 'running' as const,
  leaseOwner: owner,
  leaseUntil: now + leaseMs,
  startedAt: sql<number>`coalesce(started_at, ${now})`,
  attempt: sql<number>`attempt + 1`,
})

/** A read, so that an idle queue never troubles the writer. */
export async function hasDue(store: Store, { now, kinds }: Pick<Lease, 'now' | 'kinds'>): Promise<boolean> {
  const row = await store.everySchool
    .selectFrom('job')
    .select('id')
    .where('kind', 'in', [...kinds])
    .where(isDue(now))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Takes what is due, and what another process held and no longer renews. One statement: nobody else gets the same rows. */
export async function claimDue(store: Store, lease: Lease, limit: number): Promise<JobRow[]> {
  const due = store.everySchool
    .selectFrom('job')
    .select(['schoolId', 'id'])
    .where('kind', 'in', [...lease.kinds])
    .where(isDue(lease.now))
    .orderBy('runAt')
    .limit(limit)
  // Two processes that claim at once pass by each other's rows instead of waiting for them; SQLite has one writer anyhow.
  const mine = store.engine === 'postgres' ? due.forUpdate().skipLocked() : due
  return store.everySchool
    .updateTable('job')
    .set(leased(lease))
    .where((eb) => eb(eb.refTuple('schoolId', 'id'), 'in', mine.$asTuple('schoolId', 'id')))
    .where(isDue(lease.now))
    .returningAll()
    .execute()
}

/** One row that a queue has delivered; null when another holds it or it is not due. */
export async function claimOne(store: Store, lease: Lease, key: JobKey): Promise<JobRow | null> {
  const row = await store.everySchool
    .updateTable('job')
    .set(leased(lease))
    .where('schoolId', '=', key.schoolId)
    .where('id', '=', key.id)
    .where('kind', 'in', [...lease.kinds])
    .where(isDue(lease.now))
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function isLive(store: Store, key: JobKey): Promise<boolean> {
  const row = await store.everySchool
    .selectFrom('job')
    .select('id')
    .where('schoolId', '=', key.schoolId)
    .where('id', '=', key.id)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
  return row !== undefined
}

/** Renews all leases of a process at once; what does not come back was lost to another. */
export async function renewLeases(store: Store, owner: string, leaseUntil: number) {
  return store.everySchool
    .updateTable('job')
    .set({ leaseUntil })
    .where('state', '=', 'running')
    .where('leaseOwner', '=', owner)
    .returning(['schoolId', 'id', 'attempt', 'isCancelAsked'])
    .execute()
}

/** Changes a row only while it is still held; undefined when it was lost. */
export function updateHeld(db: Db, held: Held, changes: Updateable<Database['job']>): Promise<JobRow | undefined> {
  return db
    .updateTable('job')
    .set(changes)
    .where('schoolId', '=', held.schoolId)
    .where('id', '=', held.id)
    .where('state', '=', 'running')
    .where('leaseOwner', '=', held.leaseOwner)
    .where('attempt', '=', held.attempt)
    .returningAll()
    .executeTakeFirst()
}

/** Gives everything a stopping process still holds back to the others; the attempt does not count. */
export function releaseAll(db: Db, owner: string, now: number): Promise<JobRow[]> {
  return db
    .updateTable('job')
    .set({ state: 'queued', leaseOwner: null, leaseUntil: null, runAt: now, attempt: sql<number>`attempt - 1` })
    .where('state', '=', 'running')
    .where('leaseOwner', '=', owner)
    .returningAll()
    .execute()
}
