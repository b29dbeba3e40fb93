import type { DeleteResult } from 'kysely'
import type { Db } from '../db/store.ts'
import { chunkKey, type ObjectStore } from '../objects/objects.ts'
import { scheduleHousekeeping } from './housekeeping.ts'
import type { JobWork } from './jobs.ts'

const dayMs = 24 * 60 * 60_000
const finishedJobDays = 30
/** Small enough that nobody waits behind one statement. */
const batch = 2000

/** Deletes what has expired. The next run is asked for first, so that a failing one does not end the chain. */
export async function run({ services, signal }: JobWork<Record<never, never>>): Promise<Record<string, number>> {
  const { store, jobs, objects } = services
  const now = Date.now()
  await scheduleHousekeeping(store, jobs, now)
  const db = store.everySchool
  return {
    sessions: await inBatches(signal, () => deleteSessions(db, now)),
    oneTimes: await inBatches(signal, () => deleteOneTimes(db, now)),
    attempts: await inBatches(signal, () => deleteAttempts(db, now)),
    uploads: await deleteUploads(db, objects.store, signal, now),
    jobs: await inBatches(signal, () => deleteJobs(db, now - finishedJobDays * dayMs)),
  }
}

async function inBatches(signal: AbortSignal, deleteSome: () => Promise<DeleteResult>): Promise<number> {
  let total = 0
  for (;;) {
    signal.throwIfAborted()
    const { numDeletedRows } = await deleteSome()
    total += Number(numDeletedRows)
    if (numDeletedRows < 1n) return total
  }
}

// By key, since neither engine knows `delete … limit`. The condition stands twice: a row may come to life in between.

function deleteSessions(db: Db, now: number): Promise<DeleteResult> {
  const over = db.selectFrom('userSession').select(['schoolId', 'tokenHash']).where('expiresAt', '<', now).limit(batch)
  return db
    .deleteFrom('userSession')
    .where((eb) => eb(eb.refTuple('schoolId', 'tokenHash'), 'in', over.$asTuple('schoolId', 'tokenHash')))
    .where('expiresAt', '<', now)
    .executeTakeFirstOrThrow()
}

function deleteOneTimes(db: Db, now: number): Promise<DeleteResult> {
  const over = db
    .selectFrom('oneTime')
    .select(['schoolId', 'kind', 'keyHash'])
    .where('expiresAt', '<', now)
    .limit(batch)
  return db
    .deleteFrom('oneTime')
    .where((eb) => eb(eb.refTuple('schoolId', 'kind', 'keyHash'), 'in', over.$asTuple('schoolId', 'kind', 'keyHash')))
    .where('expiresAt', '<', now)
    .executeTakeFirstOrThrow()
}

function deleteAttempts(db: Db, now: number): Promise<DeleteResult> {
  const over = db
    .selectFrom('attempt')
    .select(['schoolId', 'key'])
    .where('blockedUntil', '<', now)
    .where('firstAt', '<', now - dayMs)
    .limit(batch)
  return db
    .deleteFrom('attempt')
    .where((eb) => eb(eb.refTuple('schoolId', 'key'), 'in', over.$asTuple('schoolId', 'key')))
    .where('blockedUntil', '<', now)
    .where('firstAt', '<', now - dayMs)
    .executeTakeFirstOrThrow()
}

/** What has ended never comes to life again. */
function deleteJobs(db: Db, before: number): Promise<DeleteResult> {
  const over = db
    .selectFrom('job')
    .select(['schoolId', 'id'])
    .where('state', 'in', ['done', 'failed', 'cancelled'])
    .where('finishedAt', '<', before)
    .limit(batch)
  return db
    .deleteFrom('job')
    .where((eb) => eb(eb.refTuple('schoolId', 'id'), 'in', over.$asTuple('schoolId', 'id')))
    .executeTakeFirstOrThrow()
}

/** The bytes first: what is left after a crash in the middle still has its row, and the next run finds it. */
async function deleteUploads(db: Db, store: ObjectStore, signal: AbortSignal, now: number): Promise<number> {
  let total = 0
  for (;;) {
    const expired = await db
      .selectFrom('upload')
      .select(['schoolId', 'id'])
      .where('expiresAt', '<', now)
      .limit(200)
      .execute()
    if (expired.length === 0) return total
    for (const { schoolId, id } of expired) {
      signal.throwIfAborted()
      for await (const key of store.list(chunkPrefix(schoolId, id))) await store.remove(key)
    }
    const { numDeletedRows } = await db
      .deleteFrom('upload')
      .where((eb) =>
        eb.or(expired.map(({ schoolId, id }) => eb.and([eb('schoolId', '=', schoolId), eb('id', '=', id)]))),
      )
      .where('expiresAt', '<', now)
      .executeTakeFirstOrThrow()
    total += Number(numDeletedRows)
  }
}

const chunkPrefix = (schoolId: string, uploadId: string): string => {
  const first = chunkKey(schoolId, uploadId, 0)
  return first.slice(0, first.lastIndexOf('/') + 1)
}
