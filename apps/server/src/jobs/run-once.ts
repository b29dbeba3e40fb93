import type { Updateable } from 'kysely'
import { AppError } from '../http/app-error.ts'
import type { Database } from '../db/schema.ts'
import type { Store } from '../db/store.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { Announce } from './announce.ts'
import { updateHeld, type Held, type JobRow } from './job-rows.ts'
import type { AnyJobDefinition, JobHandler } from './jobs.ts'
import { throttleProgress, type Progress } from './progress.ts'
import type { Deliver } from './runner.ts'

export type StopReason = 'cancel' | 'lost' | 'stop'
export type Loaded = { definition: AnyJobDefinition; run: JobHandler<never> }

type Run = {
  store: Store
  services: () => Services
  log: Log
  announce: Announce
  deliver: Deliver
  retryMs: number
  row: JobRow
  held: Held
  controller: AbortController
  definitions: readonly AnyJobDefinition[]
  load: (definition: AnyJobDefinition) => Promise<Loaded>
}
type Changes = Updateable<Database['job']>

const longestWaitMs = 5 * 60_000

/** One attempt at one job, from the claim to the stored end of it. */
export async function runOnce(run: Run): Promise<void> {
  const { row, controller, log } = run
  if (row.isCancelAsked) return settle(run, ended('cancelled'))
  if (row.attempt > row.maxAttempts) {
    log.error({ jobId: row.id, kind: row.kind }, 'job given up: each attempt ended with its process')
    return settle(run, ended('failed', { error: 'server.internal' }))
  }
  run.announce(row)
  const progress = throttleProgress((now) => writeProgress(run, now))
  let outcome: Changes
  try {
    const result = await attempt(run, progress.report)
    outcome = ended('done', { resultJson: result ?? null, progress: 1 })
  } catch (error) {
    outcome = outcomeOf(run, error)
  }
  const last = await progress.last()
  if (controller.signal.reason === 'lost') return
  await settle(run, { ...last, ...outcome })
}

async function attempt(
  { row, services, definitions, load, controller }: Run,
  progress: (fraction: number, note?: string) => void,
) {
  const definition = definitions.find(({ kind }) => kind === row.kind)
  if (!definition) throw new Error(`no job of kind ${row.kind} is known`)
  const data = definition.data.parse(row.dataJson)
  const { run } = await load(definition)
  return run({
    services: services(),
    schoolId: row.schoolId,
    jobId: row.id,
    userId: row.userId,
    data: data as never,
    attempt: row.attempt,
    signal: controller.signal,
    progress,
  })
}

const released = { leaseOwner: null, leaseUntil: null } satisfies Changes
const ended = (state: 'done' | 'failed' | 'cancelled', more: Changes = {}): Changes => ({
  ...released,
  state,
  error: null,
  finishedAt: Date.now(),
  ...more,
})

/** A refusal is an answer and is not tried again; anything else may be an accident. */
function outcomeOf({ row, controller, log, retryMs }: Run, error: unknown): Changes {
  const reason = controller.signal.reason as StopReason | undefined
  if (reason === 'cancel') return ended('cancelled')
  if (reason === 'stop') return { ...released, state: 'queued', runAt: Date.now(), attempt: row.attempt - 1 }
  if (error instanceof AppError) {
    log.info({ jobId: row.id, kind: row.kind, error: error.error }, 'job refused')
    return ended('failed', { error: error.error })
  }
  const mayRetry = row.attempt < row.maxAttempts
  log[mayRetry ? 'warn' : 'error'](
    { err: error, jobId: row.id, kind: row.kind, attempt: row.attempt },
    'job attempt failed',
  )
  if (!mayRetry) return ended('failed', { error: 'server.internal' })
  const wait = Math.min(longestWaitMs, retryMs * 2 ** (row.attempt - 1)) * (0.75 + Math.random() / 2)
  return { ...released, state: 'queued', runAt: Date.now() + Math.round(wait) }
}

/** Stores how it went and, when it goes on, delivers it again: both or neither. A result that cannot be stored is a failure. */
async function settle(run: Run, changes: Changes): Promise<void> {
  const { store, held, deliver, announce, log } = run
  const later: (() => void)[] = []
  const write = (what: Changes) =>
    store.everySchool.transaction().execute(async (db) => {
      const row = await updateHeld(db, held, what)
      if (row?.state === 'queued') await deliver(db, (then) => later.push(then), row, row.runAt)
      return row
    })
  const row = await write(changes).catch((error: unknown) => {
    if (changes.state !== 'done') throw error
    return write(outcomeOf(run, new Error('the result could not be stored', { cause: error })))
  })
  for (const then of later) then()
  if (row) announce(row)
  else log.warn({ jobId: held.id }, 'job was taken over before its end could be stored')
}

async function writeProgress({ store, held, announce, log }: Run, progress: Progress): Promise<void> {
  try {
    const row = await updateHeld(store.everySchool, held, progress)
    if (row) announce(row)
  } catch (error) {
    log.warn({ err: error, jobId: held.id }, 'job progress could not be stored')
  }
}
