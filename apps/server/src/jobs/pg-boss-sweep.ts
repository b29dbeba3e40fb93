import { sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import { bossSchema, messageOf, queueName, sendOptions } from './pg-boss-queue.ts'

const batch = 1000

/**
 * Rows that wait, or whose process is gone, and that no message will ever bring: restored from a backup, or moved here from
 * the other engine. Row and message commit together, so one that is only just being queued is never among them.
 */
export async function sweepLost(store: Store, boss: PgBoss, log: Log): Promise<void> {
  try {
    const count = await store.everySchool.transaction().execute(async (db) => {
      const plain = db.withoutPlugins()
      // Several processes look at the same time; one is enough.
      const lock = await sql<{
        mine: boolean
      }>`select pg_try_advisory_xact_lock(hashtext('console-job-sweep')) as mine`.execute(plain)
      if (!lock.rows[0]?.mine) return 0
      const lost = await sql<{ school_id: string; id: string; run_at: number }>`
        select j.school_id, j.id, j.run_at from job j
        where (j.state = 'queued' or (j.state = 'running' and j.lease_until < ${Date.now()}))
          and not exists (
            select 1 from ${sql.table(`${bossSchema}.job`)} m
            where m.name = ${queueName} and m.state < 'completed' and m.singleton_key = j.id::text)
        limit ${batch}`.execute(plain)
      const messages = lost.rows.map(({ school_id: schoolId, id, run_at: runAt }) => ({
        data: messageOf({ schoolId, id }),
        ...sendOptions({ schoolId, id }, runAt),
      }))
      if (messages.length > 0) await boss.insert(queueName, messages, { db: fromKysely(plain) })
      return messages.length
    })
    if (count > 0) log.info({ count }, 'jobs without a message were delivered again')
  } catch (error) {
    log.warn({ err: error }, 'jobs without a message could not be looked for')
  }
}
