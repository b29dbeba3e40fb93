import { insertJob, markCancelled } from './enqueue.ts'
import { housekeeping, scheduleHousekeeping } from './housekeeping.ts'
import { claimDue, hasDue } from './job-rows.ts'
import type { Jobs, JobsOptions } from './jobs.ts'
import { createRunner } from './runner.ts'

/** The job table is the queue itself: taken by lease, looked at when something is added and by a timer. */
export function createEmbeddedJobs(options: JobsOptions & { pollMs?: number }): Jobs {
  const { store, log, concurrency = 2, leaseMs = 20_000, pollMs = 1000 } = options
  let state: 'idle' | 'working' | 'stopped' = 'idle'
  let timer: NodeJS.Timeout | null = null
  let claiming: Promise<void> | null = null
  let again = false

  const runner = createRunner({
    ...options,
    definitions: [housekeeping, ...options.definitions],
    leaseMs,
    deliver: async (_db, after, _key, runAt) => {
      if (runAt <= Date.now()) after(wake)
    },
  })

  /** One claim at a time; what is added meanwhile is looked for in another round. */
  function wake(): void {
    if (state !== 'working') return
    again = true
    claiming ??= claimAll().finally(() => {
      claiming = null
      if (again && runner.running() < concurrency) wake()
    })
  }
  async function claimAll(): Promise<void> {
    while (again && state === 'working') {
      again = false
      const free = concurrency - runner.running()
      if (free <= 0) return
      try {
        const lease = { owner: runner.owner, now: Date.now(), leaseMs, kinds: runner.kinds }
        if (!(await hasDue(store, lease))) continue
        for (const row of await claimDue(store, lease, free)) void runner.run(row).then(wake)
      } catch (error) {
        log.warn({ err: error }, 'jobs could not be claimed')
        return
      }
    }
  }

  return {
    async enqueue(db, schoolId, after, definition, data, jobOptions) {
      const { id, runAt, isNew } = await insertJob(store.engine, db, schoolId, definition, data, jobOptions)
      if (isNew && runAt <= Date.now()) after(wake)
      return id
    },
    askCancel: (db, after, _schoolId, jobId) =>
      markCancelled(db, after, jobId, runner.announce, () => runner.cancelHere(jobId)),
    async start() {
      if (state !== 'idle') return
      state = 'working'
      await scheduleHousekeeping(store, this)
      timer = setInterval(wake, pollMs)
      wake()
    },
    async stop() {
      state = 'stopped'
      if (timer) clearInterval(timer)
      await claiming
      await runner.stop()
    },
  }
}
