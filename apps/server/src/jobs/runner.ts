import { randomUUID } from 'node:crypto'
import type { After } from '../db/change.ts'
import type { Db } from '../db/store.ts'
import { announceWith, type Announce } from './announce.ts'
import { releaseAll, renewLeases, type Held, type JobKey, type JobRow } from './job-rows.ts'
import type { AnyJobDefinition, JobsOptions } from './jobs.ts'
import { runOnce, type Loaded, type StopReason } from './run-once.ts'

/** How soon a running job hears that somebody cancelled it through another process. */
const cancelPollMs = 1500

type Running = { held: Held; controller: AbortController; over: Promise<void> }
/** Puts a queued row where workers find it, in the transaction that queued it. */
export type Deliver = (db: Db, after: After, key: JobKey, runAt: number) => Promise<void>

export type Runner = {
  owner: string
  kinds: readonly string[]
  announce: Announce
  /** Runs what was claimed; settles when it is over or was handed back. Never throws. */
  run: (row: JobRow) => Promise<void>
  running: () => number
  /** Only for a job of this process; others hear of it with the renewal of their lease. */
  cancelHere: (jobId: string) => void
  stop: () => Promise<void>
}

export function createRunner(options: JobsOptions & { leaseMs: number; deliver: Deliver }): Runner {
  const { store, services, log, definitions, leaseMs, retryMs = 2000, graceMs = 5000, deliver } = options
  const owner = randomUUID()
  const running = new Map<string, Running>()
  const loaded = new Map<string, Promise<Loaded>>()
  const announce = announceWith(() => services().realtime)
  const handedBack = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | null = null

  const load = (definition: AnyJobDefinition): Promise<Loaded> => {
    const known = loaded.get(definition.kind) ?? definition.load().then(({ run }) => ({ definition, run }))
    loaded.set(definition.kind, known)
    known.catch(() => loaded.delete(definition.kind))
    return known
  }
  const renew = async () => {
    const asked = new Map([...running].map(([id, { held }]) => [id, held.attempt]))
    try {
      const kept = new Map((await renewLeases(store, owner, Date.now() + leaseMs)).map((row) => [row.id, row]))
      for (const [id, attempt] of asked) {
        const one = running.get(id)
        if (!one || one.held.attempt !== attempt) continue
        const row = kept.get(id)
        if (row?.attempt !== attempt) one.controller.abort('lost' satisfies StopReason)
        else if (row.isCancelAsked) one.controller.abort('cancel' satisfies StopReason)
      }
    } catch (error) {
      log.warn({ err: error }, 'job leases could not be renewed')
    }
    timer = running.size > 0 ? setTimeout(() => void renew(), Math.min(cancelPollMs, leaseMs / 3)) : null
  }
  const run = async (row: JobRow): Promise<void> => {
    const controller = new AbortController()
    const held: Held = { schoolId: row.schoolId, id: row.id, leaseOwner: owner, attempt: row.attempt }
    const over = runOnce({ store, services, log, announce, deliver, retryMs, row, held, controller, definitions, load })
      .catch((error: unknown) =>
        log.error({ err: error, jobId: row.id, kind: row.kind }, 'the end of a job could not be stored'),
      )
      .finally(() => running.get(row.id)?.controller === controller && running.delete(row.id))
    running.set(row.id, { held, controller, over })
    timer ??= setTimeout(() => void renew(), Math.min(cancelPollMs, leaseMs / 3))
    await Promise.race([over, handedBack.promise])
  }

  return {
    owner,
    kinds: definitions.map(({ kind }) => kind),
    announce,
    run,
    running: () => running.size,
    cancelHere: (jobId) => running.get(jobId)?.controller.abort('cancel' satisfies StopReason),
    async stop() {
      for (const { controller } of running.values()) controller.abort('stop' satisfies StopReason)
      await settledWithin(
        [...running.values()].map(({ over }) => over),
        graceMs,
      )
      if (timer) clearTimeout(timer)
      if (running.size > 0) await handBack(store.everySchool, owner, deliver, announce, log)
      running.clear()
      handedBack.resolve()
    },
  }
}

/** What did not end in time goes to another process now; whatever its handler still does here is no longer stored. */
async function handBack(
  everySchool: Db,
  owner: string,
  deliver: Deliver,
  announce: Announce,
  log: JobsOptions['log'],
): Promise<void> {
  const later: (() => void)[] = []
  try {
    const rows = await everySchool.transaction().execute(async (db) => {
      const released = await releaseAll(db, owner, Date.now())
      for (const row of released) await deliver(db, (then) => later.push(then), row, row.runAt)
      return released
    })
    for (const then of later) then()
    for (const row of rows) announce(row)
  } catch (error) {
    // Nothing is lost: the leases run out and another process takes over then.
    log.warn({ err: error }, 'jobs could not be handed back')
  }
}

async function settledWithin(promises: readonly Promise<unknown>[], ms: number): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  await Promise.race([Promise.allSettled(promises), late.promise])
  clearTimeout(timer)
}
