import { PgBoss } from 'pg-boss'
import type { JobKey } from './job-rows.ts'

export const queueName = 'console-job'
export const bossSchema = 'pgboss'
/** pg-boss takes no heartbeat below this; with the look at it every 5 s a killed process is noticed within 15. */
const heartbeatSeconds = 10
const superviseSeconds = 5
export const messageOf = ({ schoolId, id }: JobKey) => ({ schoolId, id })

/** The key lets the sweep see which rows have a message; it forbids no second one. */
export const sendOptions = ({ id }: JobKey, runAt: number) => ({
  singletonKey: id,
  ...(runAt > Date.now() ? { startAfter: new Date(runAt) } : {}),
})

export function createBoss(connectionString: string, max: number): PgBoss {
  return new PgBoss({
    connectionString,
    schema: bossSchema,
    application_name: 'teaching-console-jobs',
    max,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    persistQueueStats: false,
  })
}

export async function createQueue(boss: PgBoss): Promise<void> {
  const queue = {
    notify: true,
    heartbeatSeconds,
    // A message is tried until its row is over: how often a handler may fail is counted in the row.
    retryLimit: 100_000,
    // Steady: what is thrown back is only not for this process, or not yet, and another should have it soon.
    retryDelay: 1,
    retryBackoff: false,
    expireInSeconds: 23 * 60 * 60,
    deleteAfterSeconds: 60 * 60,
  }
  if (await boss.getQueue(queueName)) await boss.updateQueue(queueName, queue)
  else await boss.createQueue(queueName, queue)
}
