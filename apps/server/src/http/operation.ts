import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countJobsByState } from '../jobs/count-jobs.ts'
import { sameText } from '../secrets.ts'
import type { Services } from '../services.ts'
import { AppError } from './app-error.ts'
import { tokenOfHeader } from './token.ts'

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** For whoever runs the server: is it well, and how is it doing. */
export async function registerOperation(app: FastifyInstance, services: Services): Promise<void> {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'console_request_seconds',
    help: 'Time to answer, by route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  })
  const jobs = new Gauge({
    name: 'console_jobs',
    help: 'Jobs by state, of the last thirty days',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      for (const { state, count } of await countJobsByState(services.store)) this.set({ state }, count)
    },
  })
  app.addHook('onClose', async () => jobs.reset())
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    duration.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  app.get('/healthz', { schema: { hide: true } }, async (_request, reply) => {
    await services.store.ping()
    return reply.header('cache-control', 'no-store').send({ ok: true, version: services.config.VERSION })
  })
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const wanted = services.config.METRICS_TOKEN
    const given = tokenOfHeader(request.headers.authorization)
    const allowed = wanted ? given !== null && sameText(given, wanted) : loopback.has(request.ip)
    if (!allowed) throw new AppError('access.denied')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
