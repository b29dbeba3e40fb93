import { z } from 'zod'
import type { JobDefinition } from './jobs.ts'

type Marked = { mark: string }

/** Does half of its work and then hangs, or does all of it. */
export const slow = (hangs: boolean): JobDefinition<Marked> => ({
  kind: 'slow',
  data: z.object({ mark: z.string() }),
  load: async () => ({
    run: async ({ data: { mark }, progress, attempt }) => {
      progress(0.5, 'half')
      if (hangs) await new Promise(() => undefined)
      return { mark, attempt }
    },
  }),
})
