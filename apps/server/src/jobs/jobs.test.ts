import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { AppError } from '../http/app-error.ts'
import { newId } from '../db/ids.ts'
import type { AnyJobDefinition, JobDefinition, JobHandler } from './jobs.ts'
import {
  benches,
  cancelIn,
  enqueueIn,
  inTransaction,
  makeWorker,
  newSchool,
  selectJob,
  type Bench,
  type Worker,
} from './testing.ts'

const data = z.object({ word: z.string() })
type Data = z.infer<typeof data>
const define = (run: JobHandler<Data>, more: Partial<JobDefinition<Data>> = {}): JobDefinition<Data> => ({
  kind: 'test',
  data,
  load: async () => ({ run }),
  ...more,
})
const until = <T>(check: () => Promise<T> | T) => vi.waitFor(check, { timeout: 20_000, interval: 20 })
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true }),
  )

describe.each(benches)('$name', ({ open }) => {
  let bench: Bench
  const workers: Worker[] = []
  const worker = (definitions: readonly AnyJobDefinition[], more = {}): Worker => {
    const made = makeWorker(bench, definitions, more)
    workers.push(made)
    return made
  }
  const untilState = (id: string, state: string) =>
    until(async () => {
      const row = await selectJob(bench, id)
      expect(row.state).toBe(state)
      return row
    })
  beforeAll(async () => {
    bench = await open()
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map(({ jobs }) => jobs.stop()))
  })
  afterAll(() => bench.close())

  test('a job runs once its change has committed, and its result and end are kept and told', async () => {
    const run = vi.fn<JobHandler<Data>>(async ({ data: { word } }) => ({ said: word }))
    const definition = define(run)
    const { jobs, told } = worker([definition])
    await jobs.start()
    const schoolId = newSchool()
    const userId = newId()
    const started = Date.now()
    const id = await enqueueIn(bench, jobs, schoolId, definition, { word: 'hello' }, { userId })
    const row = await untilState(id, 'done')
    expect(Date.now() - started).toBeLessThan(3000)
    expect(row).toMatchObject({
      schoolId,
      resultJson: { said: 'hello' },
      attempt: 1,
      progress: 1,
      error: null,
      leaseOwner: null,
    })
    expect(run).toHaveBeenCalledOnce()
    await until(() => expect(told.map(({ job }) => job.state)).toEqual(['running', 'done']))
    expect(told.every((one) => one.userId === userId)).toBe(true)
  })

  test('a change that is rolled back leaves no job', async () => {
    const run = vi.fn(async () => null)
    const definition = define(run)
    const { jobs } = worker([definition])
    await jobs.start()
    const schoolId = newSchool()
    const broken = inTransaction(bench.store, schoolId, async (db, after) => {
      await jobs.enqueue(db, schoolId, after, definition, { word: 'never' }, { userId: null })
      throw new Error('changed my mind')
    })
    await expect(broken).rejects.toThrow('changed my mind')
    const later = await enqueueIn(bench, jobs, schoolId, definition, { word: 'after it' })
    await untilState(later, 'done')
    expect(run).toHaveBeenCalledOnce()
    expect(await bench.store.school(schoolId).selectFrom('job').select('id').execute()).toHaveLength(1)
  })

  test('a result that is a bare text or number is kept too', async () => {
    const definition = define(async ({ data: { word } }) => (word === 'number' ? 7 : word))
    const { jobs } = worker([definition])
    await jobs.start()
    const ids = await Promise.all(
      ['text', 'number'].map((word) => enqueueIn(bench, jobs, newSchool(), definition, { word })),
    )
    const rows = await Promise.all(ids.map((id) => untilState(id, 'done')))
    expect(rows.map(({ resultJson }) => resultJson)).toEqual(['text', 7])
  })

  test('data that the definition refuses is never queued', async () => {
    const definition = define(async () => null)
    const { jobs } = worker([definition])
    await jobs.start()
    await expect(enqueueIn(bench, jobs, newSchool(), definition, { word: 1 } as never)).rejects.toThrow()
  })

  test('an accident is tried again after a wait, up to the limit; the reader gets a code', async () => {
    const times: number[] = []
    const definition = define(async ({ data: { word }, attempt }) => {
      times.push(Date.now())
      if (word === 'always' || attempt < 2) throw new Error('the details stay here')
      return { attempt }
    })
    const { jobs } = worker([definition])
    await jobs.start()
    const once = await enqueueIn(bench, jobs, newSchool(), definition, { word: 'once' })
    expect(await untilState(once, 'done')).toMatchObject({ attempt: 2, resultJson: { attempt: 2 }, error: null })
    times.length = 0
    const always = await enqueueIn(bench, jobs, newSchool(), definition, { word: 'always' })
    expect(await untilState(always, 'failed')).toMatchObject({ attempt: 3, error: 'server.internal', leaseOwner: null })
    expect(times).toHaveLength(3)
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(15)
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(30)
  })

  test('a refusal is not tried again and its code is kept', async () => {
    const definition = define(async () => {
      throw new AppError('upload.incomplete')
    })
    const { jobs } = worker([definition])
    await jobs.start()
    const id = await enqueueIn(bench, jobs, newSchool(), definition, { word: '' })
    expect(await untilState(id, 'failed')).toMatchObject({ attempt: 1, error: 'upload.incomplete' })
  })

  test('progress is stored and told, many reports as few, the last one always', async () => {
    const definition = define(async ({ progress, signal, data: { word } }) => {
      for (let at = 0; at <= 400; at += 1) progress(at / 800, `step ${at}`)
      if (word === 'fail') throw new AppError('upload.empty')
      await untilAborted(signal)
    })
    const { jobs, told } = worker([definition])
    await jobs.start()
    const schoolId = newSchool()
    const id = await enqueueIn(bench, jobs, schoolId, definition, { word: '' }, { userId: newId() })
    await until(async () =>
      expect(await selectJob(bench, id)).toMatchObject({ state: 'running', progress: 0.5, note: 'step 400' }),
    )
    expect(told.length).toBeLessThanOrEqual(4)
    await cancelIn(bench, jobs, schoolId, id)
    await untilState(id, 'cancelled')
    const failing = await enqueueIn(bench, jobs, schoolId, definition, { word: 'fail' })
    expect(await untilState(failing, 'failed')).toMatchObject({ progress: 0.5, note: 'step 400' })
  })

  test('what waits is cancelled at once and never runs; what is over says so', async () => {
    const run = vi.fn(async () => null)
    const definition = define(run)
    const { jobs, told } = worker([definition])
    await jobs.start()
    const schoolId = newSchool()
    const id = await enqueueIn(
      bench,
      jobs,
      schoolId,
      definition,
      { word: '' },
      { runAt: Date.now() + 60_000, userId: newId() },
    )
    expect(await cancelIn(bench, jobs, schoolId, id)).toBe('cancelled')
    expect(await selectJob(bench, id)).toMatchObject({ state: 'cancelled' })
    expect(told.map(({ job }) => job.state)).toEqual(['cancelled'])
    expect(await cancelIn(bench, jobs, schoolId, id)).toBe('finished')
    expect(await cancelIn(bench, jobs, schoolId, newId())).toBe('missing')
    expect(await cancelIn(bench, jobs, newSchool(), id)).toBe('missing')
    expect(run).not.toHaveBeenCalled()
  })

  test('what runs in another process hears that it was cancelled', async () => {
    const definition = define(({ signal }) => untilAborted(signal))
    const runner = worker([definition])
    await runner.jobs.start()
    const asker = worker([define(async () => null, { kind: 'other' })])
    await asker.jobs.start()
    const schoolId = newSchool()
    const id = await enqueueIn(bench, asker.jobs, schoolId, definition, { word: '' })
    await untilState(id, 'running')
    const asked = Date.now()
    expect(await cancelIn(bench, asker.jobs, schoolId, id)).toBe('asked')
    expect(await untilState(id, 'cancelled')).toMatchObject({ attempt: 1 })
    expect(Date.now() - asked).toBeLessThan(5000)
  })

  test('one live job a key within a school, however many ask at once', async () => {
    const definition = define(({ signal }) => untilAborted(signal))
    const { jobs } = worker([definition])
    await jobs.start()
    const schoolId = newSchool()
    const ask = (school: string) => enqueueIn(bench, jobs, school, definition, { word: '' }, { uniqueKey: 'report' })
    const ids = await Promise.all(Array.from({ length: 8 }, () => ask(schoolId)))
    expect(new Set(ids).size).toBe(1)
    const elsewhere = await ask(newSchool())
    expect(elsewhere).not.toBe(ids[0])
    await untilState(ids[0]!, 'running')
    expect(await ask(schoolId)).toBe(ids[0])
    await cancelIn(bench, jobs, schoolId, ids[0]!)
    await untilState(ids[0]!, 'cancelled')
    expect(await ask(schoolId)).not.toBe(ids[0])
  })

  test('two workers share many jobs and run each once', async () => {
    const seen = new Map<string, number>()
    const definition = define(async ({ jobId }) => void seen.set(jobId, (seen.get(jobId) ?? 0) + 1))
    const both = [worker([definition]), worker([definition])]
    for (const { jobs } of both) await jobs.start()
    const ids = await Promise.all(
      Array.from({ length: 40 }, () => enqueueIn(bench, both[0]!.jobs, newSchool(), definition, { word: '' })),
    )
    await Promise.all(ids.map((id) => untilState(id, 'done')))
    expect(ids.every((id) => seen.get(id) === 1)).toBe(true)
  })

  test('a server that stops gives back what does not end, and the attempt does not count', async () => {
    let block = true
    const definition = define(({ attempt }) => (block ? new Promise(() => undefined) : Promise.resolve({ attempt })))
    const first = worker([definition], { graceMs: 50 })
    await first.jobs.start()
    const id = await enqueueIn(bench, first.jobs, newSchool(), definition, { word: '' })
    await untilState(id, 'running')
    await first.jobs.stop()
    expect(await selectJob(bench, id)).toMatchObject({ state: 'queued', attempt: 0, leaseOwner: null })
    block = false
    await worker([definition]).jobs.start()
    expect(await untilState(id, 'done')).toMatchObject({ resultJson: { attempt: 1 } })
  })

  test('a server that stops lets a handler that listens end by itself, and another goes on at once', async () => {
    const reasons: unknown[] = []
    let block = true
    const definition = define(async ({ signal }) => {
      if (block) await untilAborted(signal).finally(() => reasons.push(signal.reason))
    })
    const first = worker([definition])
    const second = worker([definition])
    await first.jobs.start()
    const id = await enqueueIn(bench, first.jobs, newSchool(), definition, { word: '' })
    await untilState(id, 'running')
    await second.jobs.start()
    block = false
    const stopped = Date.now()
    await first.jobs.stop()
    expect(await untilState(id, 'done')).toMatchObject({ attempt: 1 })
    expect(reasons).toEqual(['stop'])
    expect(Date.now() - stopped).toBeLessThan(4000)
  })
})
