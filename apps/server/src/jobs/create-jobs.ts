import type { Config } from '../config.ts'
import { createEmbeddedJobs } from './embedded-jobs.ts'
import type { Jobs, JobsOptions } from './jobs.ts'
import { createPgBossJobs } from './pg-boss-jobs.ts'

/** With PostgreSQL several processes share the work through pg-boss; else the table is the queue. */
export function createJobs({ config, ...options }: JobsOptions & { config: Pick<Config, 'DATABASE_URL'> }): Jobs {
  const { DATABASE_URL: databaseUrl } = config
  return databaseUrl ? createPgBossJobs({ ...options, databaseUrl }) : createEmbeddedJobs(options)
}
