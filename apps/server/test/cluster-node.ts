import { z } from 'zod'
import { handle, type Route } from '../src/http/context.ts'
import { jobDefinitions } from '../src/jobs/definitions.ts'
import type { AnyJobDefinition, JobDefinition } from '../src/jobs/jobs.ts'
import { routes } from '../src/routes.ts'
import { clusterJob, clusterTell, clusterWho } from './cluster-endpoints.ts'

const node = process.env['NODE_NAME'] ?? ''

const hanging: JobDefinition<Record<never, never>> = {
  kind: 'cluster-hanging',
  data: z.object({}),
  load: async () => ({
    async run({ attempt, progress, signal }) {
      progress(0.5, node)
      if (attempt === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { node, attempt }
    },
  }),
}

const added: Route[] = [
  handle(clusterWho, async () => ({ node })),
  handle(clusterTell, async ({ services, session }) => {
    services.realtime.toTopic(session.schoolId, 'school')
    return null
  }),
  handle(clusterJob, async ({ change, services, session }) => {
    const entry = { action: 'cluster.job', targetKind: 'job', targetId: session.userId }
    const { schoolId, userId } = session
    return change(entry, async (db, after) => ({
      id: await services.jobs.enqueue(db, schoolId, after, hanging, {}, { userId }),
    }))
  }),
]

/** The real command with a few more things to ask it. */
const definitions = jobDefinitions as AnyJobDefinition[]
definitions.push(hanging)
const served = routes as Route[]
served.push(...added)
await import('../src/commands/serve.ts')
