import { endpoint } from '@console/contract'
import { z } from 'zod'

/** What only the servers of cluster-node.ts answer. */
export const clusterWho = endpoint('GET /api/cluster/who', {
  access: 'signed-in',
  summary: 'Which of the servers answers',
  data: z.object({ node: z.string() }),
})
export const clusterTell = endpoint('PUT /api/cluster/tell', {
  access: 'signed-in',
  summary: 'Tell everybody who watches the school',
  data: z.null(),
})
export const clusterJob = endpoint('POST /api/cluster/job', {
  access: 'signed-in',
  summary: 'A job that hangs where it runs first and ends where it runs next',
  data: z.object({ id: z.string() }),
})
