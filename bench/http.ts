import Fastify from 'fastify'
import { findSession } from '../apps/server/src/http/session.ts'
import { presentUsers } from '../apps/server/src/modules/user/present.ts'
import { selectUserPage } from '../apps/server/src/modules/user/queries.ts'
import type { Row } from './row.ts'
import { load, type LoadResult } from './support/http-load.ts'
import { startSchoolServer, type SchoolServer } from './support/school-server.ts'

export const area = 'http'

const accounts = 1000
const rounds = 3
const roundMs = 2000

/**
 * Two peers without checks, envelope, log, headers or measures: one runs only the two statements of the list itself,
 * the other all five that ours needs, with the session and what is presented beside each account.
 */
async function startBare({ running, schoolId, tokens: [token = ''] }: SchoolServer) {
  const { store } = running.services
  const app = Fastify()
  app.get('/two', () => selectUserPage(store.school(schoolId), {}, 1, 20))
  app.get('/five', async () => {
    await findSession(store, token, Date.now())
    const db = store.school(schoolId)
    const { rows, total } = await selectUserPage(db, {}, 1, 20)
    return { items: await presentUsers(db, rows), total }
  })
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

const middle = (results: LoadResult[], of: (result: LoadResult) => number) =>
  Number((results.map(of).toSorted((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0).toPrecision(4))

const ratio = (ours: number, peer: number) => Number((ours / peer).toPrecision(3))

type Place = 'ours' | 'two' | 'five'

/** In turns, so that what else the machine does meets all alike. */
async function inTurns(ask: Record<Place, () => Promise<LoadResult>>): Promise<Record<Place, LoadResult[]>> {
  const results: Record<Place, LoadResult[]> = { ours: [], two: [], five: [] }
  const places = ['ours', 'two', 'five'] as const
  for (const place of places) await ask[place]()
  for (let round = 0; round < rounds; round += 1) {
    for (const place of places) results[place].push(await ask[place]())
  }
  const failed = places.flatMap((place) => results[place]).reduce((sum, result) => sum + result.failed, 0)
  if (failed > 0) throw new Error(`${failed} calls were not answered with 200`)
  return results
}

export async function run(): Promise<Row[]> {
  const school = await startSchoolServer(accounts, 1)
  const bare = await startBare(school)
  const headers = { authorization: school.tokens[0] ?? '' }
  try {
    const results = await inTurns({
      ours: () => load({ url: `${school.running.address}/api/user/page?size=20`, headers, ms: roundMs }),
      two: () => load({ url: `${bare.address}/two`, ms: roundMs }),
      five: () => load({ url: `${bare.address}/five`, ms: roundMs }),
    })
    const row = (name: string, peer: Place, of: (result: LoadResult) => number, unit: string): Row => {
      const figures = { ours: middle(results.ours, of), peer: middle(results[peer], of) }
      return { name: `${area}/${name}`, ...figures, ratio: ratio(figures.ours, figures.peer), unit }
    }
    return [
      row('list-vs-bare', 'two', ({ perSecond }) => perSecond, '/s'),
      row('list-vs-same-statements', 'five', ({ perSecond }) => perSecond, '/s'),
      row('list-p99-ms', 'two', ({ p99 }) => p99, 'ms'),
    ]
  } finally {
    await bare.close()
    await school.close()
  }
}

if (import.meta.main) console.table(await run())
