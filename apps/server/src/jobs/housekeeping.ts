import { z } from 'zod'
import { systemSchool } from '../db/schema.ts'
import { inSchool, type Store } from '../db/store.ts'
import type { JobDefinition, Jobs } from './jobs.ts'

const everyMs = 60 * 60_000

export const housekeeping: JobDefinition<Record<never, never>> = {
  kind: 'housekeeping',
  data: z.object({}),
  load: () => import('./housekeeping-run.ts'),
}

/** The next full hour has one job, whoever asks for it and however often: at each start, and each run for the one after. */
export async function scheduleHousekeeping(store: Store, jobs: Pick<Jobs, 'enqueue'>, now = Date.now()): Promise<void> {
  const hour = Math.floor(now / everyMs) + 1
  const later: (() => void)[] = []
  await store.everySchool.transaction().execute((transaction) =>
    jobs.enqueue(
      inSchool(transaction, systemSchool),
      systemSchool,
      (run) => later.push(run),
      housekeeping,
      {},
      {
        userId: null,
        uniqueKey: `housekeeping:${hour}`,
        runAt: hour * everyMs,
      },
    ),
  )
  for (const run of later) run()
}
