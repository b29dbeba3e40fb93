import { CompiledQuery } from 'kysely'
import type { After } from '../db/change.ts'
import { newId } from '../db/ids.ts'
import type { Engine } from '../db/columns.ts'
import type { Db } from '../db/store.ts'
import type { Announce } from './announce.ts'
import { liveStates } from './job-rows.ts'
import type { CancelOutcome, EnqueueOptions, JobDefinition } from './jobs.ts'

const defaultAttempts = 3

/** Stores the row; the second value says whether it is new and still to be delivered. */
export async function insertJob<T>(
  engine: Engine,
  db: Db,
  schoolId: string,
  definition: JobDefinition<T>,
  data: T,
  options: EnqueueOptions,
): Promise<{ id: string; runAt: number; isNew: boolean }> {
  const now = Date.now()
  const runAt = options.runAt ?? now
  if (options.uniqueKey !== undefined) {
    const live = await selectLive(engine, db, schoolId, options.uniqueKey)
    if (live) return { ...live, isNew: false }
  }
  const id = newId()
  await db
    .insertInto('job')
    .values({
      id,
      kind: definition.kind,
      userId: options.userId,
      uniqueKey: options.uniqueKey ?? null,
      state: 'queued',
      dataJson: definition.data.parse(data),
      resultJson: null,
      progress: 0,
      attempt: 0,
      maxAttempts: definition.maxAttempts ?? defaultAttempts,
      runAt,
      isCancelAsked: false,
      createdAt: now,
    })
    .execute()
  return { id, runAt, isNew: true }
}

/** Two who ask at once: SQLite has one writing transaction at a time, PostgreSQL lets the second wait for the first here. */
async function selectLive(engine: Engine, db: Db, schoolId: string, uniqueKey: string) {
  if (engine === 'postgres') {
    await db.executeQuery(
      CompiledQuery.raw('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`job:${schoolId}:${uniqueKey}`]),
    )
  }
  return db
    .selectFrom('job')
    .select(['id', 'runAt'])
    .where('uniqueKey', '=', uniqueKey)
    .where('state', 'in', liveStates)
    .executeTakeFirst()
}

/** What waits is over at once; what runs is told so by its own process. */
export async function markCancelled(
  db: Db,
  after: After,
  jobId: string,
  announce: Announce,
  whenRunning: () => void,
): Promise<CancelOutcome> {
  const now = Date.now()
  const waiting = await db
    .updateTable('job')
    .set({ state: 'cancelled', isCancelAsked: true, finishedAt: now })
    .where('id', '=', jobId)
    .where('state', '=', 'queued')
    .returningAll()
    .executeTakeFirst()
  if (waiting) {
    after(() => announce(waiting))
    return 'cancelled'
  }
  const running = await db
    .updateTable('job')
    .set({ isCancelAsked: true })
    .where('id', '=', jobId)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst()
  if (running) {
    after(whenRunning)
    return 'asked'
  }
  const row = await db.selectFrom('job').select('id').where('id', '=', jobId).executeTakeFirst()
  return row ? 'finished' : 'missing'
}
