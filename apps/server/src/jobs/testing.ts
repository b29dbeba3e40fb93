import { join } from 'node:path'
import { pino } from 'pino'
import type { Job, ServerEvents } from '@console/contract'
import type { After } from '../db/change.ts'
import { newId } from '../db/ids.ts'
import { engines } from '../../test/engines.ts'
import { inSchool, type Db, type Store } from '../db/store.ts'
import type { Services } from '../services.ts'
import { createEmbeddedJobs } from './embedded-jobs.ts'
import type { AnyJobDefinition, EnqueueOptions, JobDefinition, Jobs, JobsOptions } from './jobs.ts'
import { createPgBossJobs } from './pg-boss-jobs.ts'

export type Queue = 'embedded' | 'pg-boss'
export type Bench = { queue: Queue; store: Store; address: string; close: () => Promise<void> }
type More = Partial<JobsOptions> & { services?: () => Services }

const openEngine = (name: 'sqlite' | 'postgres', queue: Queue) => async (): Promise<Bench> => {
  const { store, url, folder, close } = await engineOf(name).open()
  return { queue, store, address: url ?? (folder ? join(folder, 'console.db') : ''), close }
}
const engineOf = (name: 'sqlite' | 'postgres') => {
  const engine = engines.find((one) => one.name === name)
  if (!engine) throw new Error(`there is no engine ${name}`)
  return engine
}

/** Without TEST_DATABASE_URL a stand-in takes PostgreSQL's place for the table queue, and pg-boss is not proven. */
export const benches: { name: string; open: () => Promise<Bench> }[] = [
  { name: 'table queue on SQLite', open: openEngine('sqlite', 'embedded') },
  { name: 'table queue on PostgreSQL', open: openEngine('postgres', 'embedded') },
  ...(engineOf('postgres').standIn ? [] : [{ name: 'pg-boss on PostgreSQL', open: openEngine('postgres', 'pg-boss') }]),
]

export type Told = { userId: string; job: Pick<Job, 'id' | 'state' | 'progress' | 'note' | 'error'> }
export type Worker = { jobs: Jobs; told: Told[] }

/** Housekeeping asks for the services; everything else in these tests uses none. */
export function makeWorker(
  bench: Pick<Bench, 'queue' | 'store' | 'address'>,
  definitions: readonly AnyJobDefinition[],
  more: More = {},
): Worker {
  const told: Told[] = []
  const toUser = (userId: string, _event: keyof ServerEvents, job: Told['job']) => told.push({ userId, job })
  const services = { store: bench.store, realtime: { toUser } } as unknown as Services
  const options = {
    store: bench.store,
    services: () => services,
    log: pino({ level: 'silent' }),
    definitions,
    retryMs: 20,
    ...more,
  }
  const jobs =
    bench.queue === 'embedded'
      ? createEmbeddedJobs({ pollMs: 50, leaseMs: 600, ...options })
      : createPgBossJobs({ databaseUrl: bench.address, ...options })
  services.jobs = jobs
  return { jobs, told }
}

export async function inTransaction<T>(
  store: Store,
  schoolId: string,
  work: (db: Db, after: After) => Promise<T>,
): Promise<T> {
  const later: (() => void)[] = []
  const result = await store.everySchool
    .transaction()
    .execute((db) => work(inSchool(db, schoolId), (run) => later.push(run)))
  for (const run of later) run()
  return result
}

export const enqueueIn = <T>(
  bench: Bench,
  jobs: Jobs,
  schoolId: string,
  definition: JobDefinition<T>,
  data: T,
  options: Partial<EnqueueOptions> = {},
): Promise<string> =>
  inTransaction(bench.store, schoolId, (db, after) =>
    jobs.enqueue(db, schoolId, after, definition, data, { userId: null, ...options }),
  )

export const cancelIn = (bench: Bench, jobs: Jobs, schoolId: string, id: string) =>
  inTransaction(bench.store, schoolId, (db, after) => jobs.askCancel(db, after, schoolId, id))

export const selectJob = (bench: Pick<Bench, 'store'>, id: string) =>
  bench.store.everySchool.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

export const newSchool = (): string => newId()
