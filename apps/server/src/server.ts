import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { createApp, registerRoutes } from './app.ts'
import { createPostgresDialect, createPostgresPool } from './db/postgres.ts'
import { createSqliteDialect } from './db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from './db/store.ts'
import { createJobs } from './jobs/create-jobs.ts'
import { jobDefinitions } from './jobs/definitions.ts'
import type { Log } from './log.ts'
import { createPartners } from './modules/auth/partners.ts'
import { createSms } from './modules/auth/sms.ts'
import { createObjects, createObjectStore } from './objects/create-objects.ts'
import { keepSecret, openDataDir } from './operation/data-dir.ts'
import { createRealtime } from './realtime/create-realtime.ts'
import { routes } from './routes.ts'
import { createSecrets } from './secrets.ts'
import type { Services } from './services.ts'
import { databaseError, listeningError, makeDataDir } from './start-failures.ts'

export type Running = { app: FastifyInstance; services: Services; address: string; close: () => Promise<void> }

export type StartOptions = {
  onStep?: (step: 'database' | 'migrated' | 'listening') => void
  /** Runs when the database is open and before anybody is answered: the demo school, or the refusal of one. */
  prepare?: (store: Store) => Promise<void>
  /** A database that is already open; whoever opened it closes it. */
  store?: Store
}

/** Explicit and in this order: who holds the data, the database, the services, the routes, the door. Closing goes backwards. */
export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<Running> {
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).toReversed())
      await closer().catch((error: unknown) => log.error({ err: error }, 'closing'))
  }
  try {
    await makeDataDir(config)
    if (!config.DATABASE_URL) closers.push((await openDataDir(config.DATA_DIR)).release)
    options.onStep?.('database')
    const store = options.store ?? (await openConfiguredStore(config, log))
    if (!options.store) closers.push(store.close)
    options.onStep?.('migrated')
    await options.prepare?.(store)
    const app = await createApp(config, log)
    const services = await createServices(config, log, store, app)
    closers.push(
      () => services.realtime.close(),
      () => services.jobs.stop(),
      () => app.close(),
      async () => services.realtime.disconnect(),
    )
    await registerRoutes(app, services, routes)
    await app.ready()
    await services.jobs.start()
    const address = await app
      .listen({ port: config.PORT, host: config.HOST })
      .catch((error: unknown) => Promise.reject(listeningError(config, error)))
    options.onStep?.('listening')
    return { app, services, address, close }
  } catch (error) {
    await close()
    throw error
  }
}

export async function openConfiguredStore(config: Config, log: Log): Promise<Store> {
  const told = (names: string[]) => log.info({ names }, 'the database was migrated')
  if (config.DATABASE_URL) {
    const pool = createPostgresPool(config.DATABASE_URL, config.DATABASE_POOL)
    return openStore('postgres', createPostgresDialect(pool), told).catch((error: unknown) =>
      Promise.reject(databaseError(error)),
    )
  }
  await makeDataDir(config)
  return openStore('sqlite', createSqliteDialect({ path: join(config.DATA_DIR, 'console.db') }), told)
}

async function createServices(config: Config, log: Log, store: Store, app: FastifyInstance): Promise<Services> {
  const secrets = createSecrets(config.SECRET ?? (await keepSecret(config.DATA_DIR)))
  const objects = createObjects(store, createObjectStore(config), join(config.DATA_DIR, 'drafts'))
  const realtime = createRealtime({ server: app.server, store, config, log })
  const jobs = createJobs({ store, config, log, services: () => services, definitions: jobDefinitions })
  const partners = createPartners(config, log)
  const services: Services = {
    config,
    log,
    store,
    objects,
    jobs,
    realtime,
    partners,
    secrets,
    sms: createSms(config, log),
  }
  return services
}
