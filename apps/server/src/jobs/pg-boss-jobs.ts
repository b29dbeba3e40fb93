import { fromKysely } from 'pg-boss'
import { insertJob, markCancelled } from './enqueue.ts'
import { housekeeping, scheduleHousekeeping } from './housekeeping.ts'
import { claimOne, isLive, type JobKey } from './job-rows.ts'
import type { Jobs, JobsOptions } from './jobs.ts'
import { createBoss, createQueue, messageOf, queueName, sendOptions } from './pg-boss-queue.ts'
import { sweepLost } from './pg-boss-sweep.ts'
import { createRunner, type Deliver, type Runner } from './runner.ts'

/** Shorter than the heartbeat, so that the row is free when the message comes again. */
const defaultLeaseMs = 9000
const sweepMs = 60_000

const workOptions = {
  // Delayed messages are found by looking, not by a notification.
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 1,
  heartbeatRefreshSeconds: 3,
}

/** A job is running elsewhere or not due here yet: thrown, so that pg-boss delivers it again a little later. */
class NotYet extends Error {}

/** pg-boss carries the id of a row; what became of a job stands in the row alone. */
export function createPgBossJobs(options: JobsOptions & { databaseUrl: string; poolSize?: number }): Jobs {
  const { store, log, databaseUrl, poolSize = 4, concurrency = 2, leaseMs = defaultLeaseMs } = options
  const boss = createBoss(databaseUrl, poolSize)
  boss.on('error', (error) => log.warn({ err: error }, 'job queue'))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'))
  let state: 'idle' | 'working' | 'stopped' = 'idle'
  let sweeping: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null

  const deliver: Deliver = async (db, _after, key, runAt) => {
    // The plugins are for our own tables; pg-boss reads its rows as it named them.
    await boss.send(queueName, messageOf(key), { ...sendOptions(key, runAt), db: fromKysely(db.withoutPlugins()) })
  }
  const runner = createRunner({ ...options, definitions: [housekeeping, ...options.definitions], leaseMs, deliver })
  const sweep = () => {
    sweeping = sweeping.then(() => (state === 'working' ? sweepLost(store, boss, log) : undefined))
    return sweeping
  }

  return {
    async enqueue(db, schoolId, after, definition, data, jobOptions) {
      const { id, runAt, isNew } = await insertJob(store.engine, db, schoolId, definition, data, jobOptions)
      if (isNew) await deliver(db, after, { schoolId, id }, runAt)
      return id
    },
    askCancel: (db, after, _schoolId, jobId) =>
      markCancelled(db, after, jobId, runner.announce, () => runner.cancelHere(jobId)),
    async start() {
      if (state !== 'idle') return
      await boss.start()
      await createQueue(boss)
      state = 'working'
      for (let at = 0; at < concurrency; at += 1) await addWorker()
      await scheduleHousekeeping(store, this)
      timer = setInterval(() => void sweep(), sweepMs)
      await sweep()
    },
    async stop() {
      const wasWorking = state === 'working'
      state = 'stopped'
      if (timer) clearInterval(timer)
      await sweeping
      if (!wasWorking) return
      const off = boss.offWork(queueName).catch((error: unknown) => log.warn({ err: error }, 'job queue'))
      await runner.stop()
      await off
      await boss.stop({ graceful: true, timeout: 3000 })
    },
  }

  /** One registration each, since pg-boss wakes by registration: without that a worker sleeps after every job, however many wait. */
  async function addWorker(): Promise<void> {
    const id: string = await boss.work<JobKey>(queueName, workOptions, async ([message]) => {
      if (message) await runDelivered(message.data)
      boss.notifyWorker(id)
    })
  }
  async function runDelivered(key: JobKey): Promise<void> {
    if (state !== 'working') throw new NotYet('this process is stopping')
    await runRow(runner, key)
  }
  async function runRow({ owner, kinds, run }: Runner, key: JobKey): Promise<void> {
    const row = await claimOne(store, { owner, kinds, now: Date.now(), leaseMs }, key)
    if (row) return run(row)
    if (await isLive(store, key)) throw new NotYet('the job is held by another process or not due')
  }
}
