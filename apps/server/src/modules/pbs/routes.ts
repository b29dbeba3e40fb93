import * as contract from '@console/contract'
import { z } from 'zod'
import { AppError } from '../../http/app-error.ts'
import { handle, type Route, type SignedContext } from '../../http/context.ts'
import { fetchJson } from '../auth/partner-discovery.ts'
import { readPartnerSecret } from '../auth/sessions.ts'

const papers = z.array(z.object({ id: z.coerce.string(), title: z.string(), url: z.string().nullish() }))

/** The token that pbs gave with this login; without one the session at pbs is over. */
async function pbsToken({ services, session, read }: SignedContext): Promise<string> {
  const row = await read
    .selectFrom('userSession')
    .select('partnerSecret')
    .where('tokenHash', '=', session.tokenHash)
    .where('partner', '=', 'pbs')
    .executeTakeFirst()
  const { accessToken } = readPartnerSecret(services, row?.partnerSecret ?? null)
  if (!accessToken) throw new AppError('auth.partnerSessionOver')
  return accessToken
}

export const pbsRoutes: Route[] = [
  handle(contract.pbsPaperList, async (context) => {
    const address = context.services.config.PBS_API_URL
    if (!address) throw new AppError('auth.partnerNotConfigured')
    const headers = { authorization: `Bearer ${await pbsToken(context)}` }
    const answer = await fetchJson(`${address.replace(/\/$/, '')}/paperList`, { headers })
    const list = papers.safeParse(Array.isArray(answer) ? answer : answer['data'])
    if (!list.success) throw new AppError('auth.partnerUnreachable', { cause: list.error })
    return list.data.map(({ id, title, url }) => ({ id, title, url: url ?? null }))
  }),

  handle(contract.pbsRefreshMessage, async (context) => {
    const { services, session, change, now } = context
    const identity = await services.partners.userInfo('pbs', await pbsToken(context))
    const name = identity.name?.trim().slice(0, 50) || session.userName
    await change(
      { action: 'user.refresh', targetKind: 'user', targetId: session.userId, data: { from: 'pbs' } },
      async (db) => {
        await db.updateTable('userAccount').set({ name, updatedAt: now }).where('id', '=', session.userId).execute()
      },
    )
    return { name, avatar: null }
  }),
]
