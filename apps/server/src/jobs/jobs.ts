import type { z } from 'zod'
import type { After } from '../db/change.ts'
import type { Db } from '../db/store.ts'
import type { Services } from '../services.ts'

/** Light: says what a job is called and what it is given. The handler is loaded when the first one runs. */
export type JobDefinition<T = unknown> = {
  kind: string
  data: z.ZodType<T>
  maxAttempts?: number
  load: () => Promise<{ run: JobHandler<T> }>
}

/** A definition whatever its data, as the list of all of them holds it. */
export type AnyJobDefinition = {
  kind: string
  data: z.ZodType
  maxAttempts?: number
  load: () => Promise<{ run: JobHandler<never> }>
}

/** May be run again after a crash in the middle: what it did must do no harm done twice. */
export type JobHandler<T> = (work: JobWork<T>) => Promise<unknown>

export type JobWork<T> = {
  services: Services
  schoolId: string
  jobId: string
  userId: string | null
  data: T
  attempt: number
  /** Fires when somebody asked to cancel, when the lease was lost, or when the server stops; its reason says which. */
  signal: AbortSignal
  /** 0 to 1, and a word about it. Written at most a few times a second. */
  progress: (fraction: number, note?: string) => void
}

export type EnqueueOptions = {
  userId: string | null
  /** While a job with this key is queued or running, asking again gives that one. */
  uniqueKey?: string
  runAt?: number
}

/** What became of a wish to cancel: over at once, told to the one who runs it, or too late. */
export type CancelOutcome = 'cancelled' | 'asked' | 'finished' | 'missing'

export type Jobs = {
  /** In the transaction of the change that wants it: no change without its job, no job without its change. */
  enqueue: <T>(
    db: Db,
    schoolId: string,
    after: After,
    definition: JobDefinition<T>,
    data: T,
    options: EnqueueOptions,
  ) => Promise<string>
  /** Marks the job inside the caller's transaction; a running handler sees its signal fire soon after the commit. */
  askCancel: (db: Db, after: After, schoolId: string, jobId: string) => Promise<CancelOutcome>
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** What both queues are made from. */
export type JobsOptions = {
  store: Services['store']
  services: () => Services
  log: Services['log']
  definitions: readonly AnyJobDefinition[]
  /** How many jobs this process runs at once. */
  concurrency?: number
  /** How long a job stays with a process that has stopped renewing. */
  leaseMs?: number
  /** The wait before the second attempt; it doubles with each further one. */
  retryMs?: number
  /** How long a stopping server waits for handlers that were told to end. */
  graceMs?: number
}
