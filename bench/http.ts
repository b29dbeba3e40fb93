import Fastify from 'fastify'
import { selectUserPage } from '../apps/server/src/modules/user/queries.ts'
import type { Row } from './row.ts'
import { load, type LoadResult } from './support/http-load.ts'
import { startSchoolServer, type SchoolServer } from './support/school-server.ts'

export const area = 'http'

const accounts = 1000
const rounds = 3
const roundMs = 2000

/** The same two statements of the same store and nothing else: no session, no presenter, no checks, no envelope. */
async function startBare({ running, schoolId }: SchoolServer) {
  const app = Fastify()
  app.get('/page', () => selectUserPage(running.services.store.school(schoolId), {}, 1, 20))
  return { address: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

const middle = (results: LoadResult[], of: (result: LoadResult) => number) =>
  Number((results.map(of).toSorted((a, b) => a - b)[Math.floor(results.length / 2)] ?? 0).toPrecision(4))

const ratio = (ours: number, peer: number) => Number((ours / peer).toPrecision(3))

/** In turns, so that what else the machine does meets both alike. */
async function inTurns(ours: () => Promise<LoadResult>, peer: () => Promise<LoadResult>) {
  const results = { ours: [] as LoadResult[], peer: [] as LoadResult[] }
  await ours()
  await peer()
  for (let round = 0; round < rounds; round += 1) {
    results.ours.push(await ours())
    results.peer.push(await peer())
  }
  const failed = [...results.ours, ...results.peer].reduce((sum, result) => sum + result.failed, 0)
  if (failed > 0) throw new Error(`${failed} calls were not answered with 200`)
  return results
}

export async function run(): Promise<Row[]> {
  const school = await startSchoolServer(accounts, 1)
  const bare = await startBare(school)
  const headers = { authorization: school.tokens[0] ?? '' }
  try {
    const { ours, peer } = await inTurns(
      () => load({ url: `${school.running.address}/api/user/page?size=20`, headers, ms: roundMs }),
      () => load({ url: `${bare.address}/page`, ms: roundMs }),
    )
    const row = (name: string, of: (result: LoadResult) => number, unit: string): Row => {
      const figures = { ours: middle(ours, of), peer: middle(peer, of) }
      return { name: `${area}/${name}`, ...figures, ratio: ratio(figures.ours, figures.peer), unit }
    }
    return [row('list-vs-bare', ({ perSecond }) => perSecond, '/s'), row('list-p99-ms', ({ p99 }) => p99, 'ms')]
  } finally {
    await bare.close()
    await school.close()
  }
}

if (import.meta.main) console.table(await run())
