import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** For accounts that came in through pbs. Codes 500 and 10401 of these two send the user to login. */
export const pbsPaperList = endpoint('GET /api/pbs/pbsPaperList', {
  access: 'signed-in',
  summary: 'The papers that pbs offers to this user',
  data: z.array(z.object({ id: z.string(), title: z.string(), url: z.string().nullable() })),
})
export const pbsRefreshMessage = endpoint('POST /api/pbs/refreshPbsMessage', {
  access: 'signed-in',
  summary: 'Take name and picture over from pbs again',
  data: z.object({ name: z.string(), avatar: z.string().nullable() }),
})
