import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { sql } from 'kysely'
import { z } from 'zod'
import { newId } from '../db/ids.ts'
import type { JobDefinition } from './jobs.ts'
import { slow } from './testing-slow.ts'
import { benches, enqueueIn, makeWorker, newSchool, selectJob, type Bench } from './testing.ts'

const child = fileURLToPath(new URL('./testing-child.ts', import.meta.url))
const until = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 45_000, interval: 50 })

describe.each(benches)('$name', ({ name, open }) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await open()
  })
  afterAll(() => bench.close())

  test('a job whose process is killed in the middle is finished by another', { timeout: 60_000 }, async () => {
    // No other process reaches the database in memory that stands in for PostgreSQL.
    if (bench.address === '') return expect(process.env['TEST_DATABASE_URL']).toBeUndefined()
    const owner = spawn(process.execPath, [child, bench.queue, bench.store.engine, bench.address], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void owner.kill('SIGKILL'))
    await once(owner.stdout, 'data')
    const { jobs } = makeWorker(bench, [slow(false)])
    // Not started yet: only the other process can take the job.
    const sender = makeWorker(bench, [])
    await sender.jobs.start()
    const id = await enqueueIn(bench, sender.jobs, newSchool(), slow(false), { mark: 'kept' })
    await until(async () => expect(await selectJob(bench, id)).toMatchObject({ state: 'running', note: 'half' }))
    await jobs.start()
    const killed = Date.now()
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const row = await until(async () => {
      const found = await selectJob(bench, id)
      expect(found.state).toBe('done')
      return found
    })
    expect(row).toMatchObject({ attempt: 2, resultJson: { mark: 'kept', attempt: 2 } })
    const took = Date.now() - killed
    process.stdout.write(`  ${name}: taken over ${took} ms after the kill\n`)
    expect(took).toBeLessThan(30_000)
    await Promise.all([jobs.stop(), sender.jobs.stop()])
  })

  test('a worker that lost its lease hears of it and its end is not stored', { timeout: 60_000 }, async () => {
    const reasons: unknown[] = []
    const definition: JobDefinition<Record<never, never>> = {
      kind: 'stolen',
      data: z.object({}),
      load: async () => ({
        run: ({ signal }) =>
          new Promise((end) =>
            signal.addEventListener('abort', () => (reasons.push(signal.reason), end({ by: 'the first' }))),
          ),
      }),
    }
    const { jobs } = makeWorker(bench, [definition])
    await jobs.start()
    const id = await enqueueIn(bench, jobs, newSchool(), definition, {})
    await until(async () => expect((await selectJob(bench, id)).state).toBe('running'))
    const thief = { leaseOwner: 'another', attempt: 2, leaseUntil: Date.now() + 60_000 }
    await bench.store.everySchool.updateTable('job').set(thief).where('id', '=', id).execute()
    await until(() => expect(reasons).toEqual(['lost']))
    await jobs.stop()
    expect(await selectJob(bench, id)).toMatchObject({ state: 'running', leaseOwner: 'another', resultJson: null })
  })

  test('a job that ends every process that runs it is given up', { timeout: 60_000 }, async () => {
    const { jobs } = makeWorker(bench, [slow(false)])
    const id = newId()
    await insertRow(bench, id, { state: 'running', attempt: 3, leaseOwner: 'gone', leaseUntil: Date.now() - 1 })
    await jobs.start()
    await until(async () =>
      expect(await selectJob(bench, id)).toMatchObject({ state: 'failed', error: 'server.internal' }),
    )
    await jobs.stop()
  })

  test(
    'rows that no queue knows, as after a restore, are run once the server starts',
    { timeout: 60_000 },
    async () => {
      const { jobs } = makeWorker(bench, [slow(false)])
      const ids = [newId(), newId()]
      for (const id of ids) await insertRow(bench, id, {})
      await jobs.start()
      for (const id of ids) await until(async () => expect((await selectJob(bench, id)).state).toBe('done'))
      await jobs.stop()
      expect(await countMessages(bench, ids)).toBe(bench.queue === 'pg-boss' ? 2 : 0)
    },
  )
})

async function insertRow(bench: Bench, id: string, more: Record<string, unknown>): Promise<void> {
  const now = Date.now()
  await bench.store
    .school(newSchool())
    .insertInto('job')
    .values({
      id,
      kind: 'slow',
      state: 'queued',
      dataJson: { mark: 'restored' },
      resultJson: null,
      progress: 0,
      attempt: 0,
      maxAttempts: 3,
      runAt: now - 1000,
      isCancelAsked: false,
      createdAt: now,
      ...more,
    })
    .execute()
}

async function countMessages(bench: Bench, ids: readonly string[]): Promise<number> {
  if (bench.queue !== 'pg-boss') return 0
  const counted = sql<{
    count: number
  }>`select count(*) as count from pgboss.job where singleton_key in (${sql.join(ids)})`
  return Number((await counted.execute(bench.store.everySchool)).rows[0]?.count)
}
