import type { Config } from './config.ts'
import type { Store } from './db/store.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Objects } from './objects/objects.ts'
import type { Realtime } from './realtime/realtime.ts'
import type { Partners } from './modules/auth/partners.ts'
import type { Secrets } from './secrets.ts'
import type { Sms } from './modules/auth/sms.ts'
import type { Log } from './log.ts'

/** What handlers stand on; made once at the start, handed to each through its context. */
export type Services = {
  config: Config
  log: Log
  store: Store
  objects: Objects
  jobs: Jobs
  realtime: Realtime
  sms: Sms
  partners: Partners
  secrets: Secrets
}
