import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newId } from '../db/ids.ts'
import { systemSchool } from '../db/schema.ts'
import { chunkKey, type ObjectStore } from '../objects/objects.ts'
import type { Services } from '../services.ts'
import { housekeeping, scheduleHousekeeping } from './housekeeping.ts'
import { run } from './housekeeping-run.ts'
import { benches, enqueueIn, makeWorker, newSchool, selectJob, type Bench } from './testing.ts'

const day = 24 * 60 * 60_000

describe.each(benches)('$name', ({ open }) => {
  let bench: Bench
  beforeAll(async () => {
    bench = await open()
  })
  afterAll(() => bench.close())

  test('it is asked for once an hour, by whomever, and runs when its hour has come', async () => {
    const { jobs } = makeWorker(bench, [])
    await jobs.start()
    await Promise.all([scheduleHousekeeping(bench.store, jobs), scheduleHousekeeping(bench.store, jobs)])
    const asked = await bench.store
      .school(systemSchool)
      .selectFrom('job')
      .selectAll()
      .where('kind', '=', housekeeping.kind)
      .execute()
    expect(asked).toHaveLength(1)
    expect(asked[0]!.runAt).toBeGreaterThan(Date.now())
    expect(asked[0]!.runAt).toBeLessThanOrEqual(Date.now() + 60 * 60_000)
    await jobs.stop()
  })

  test('it deletes what has expired and nothing else, and asks for the next run', async () => {
    const { store } = bench
    const now = Date.now()
    const objects = memoryObjects()
    const schools = [newSchool(), newSchool()]
    for (const schoolId of schools) await fill(bench, objects, schoolId, now)
    const { jobs } = makeWorker(bench, [])
    await jobs.start()
    const services = { store, jobs, objects: { store: objects } } as unknown as Services
    const work = {
      services,
      schoolId: systemSchool,
      jobId: newId(),
      userId: null,
      data: {},
      attempt: 1,
      progress: () => undefined,
    }
    const done = await run({ ...work, signal: new AbortController().signal })
    expect(done).toEqual({ sessions: 2, oneTimes: 2, attempts: 2, uploads: 2, jobs: 2 })
    for (const schoolId of schools) {
      const db = store.school(schoolId)
      expect(
        (await db.selectFrom('userSession').select('tokenHash').execute()).map(({ tokenHash }) => tokenHash),
      ).toEqual([`live ${schoolId}`])
      expect((await db.selectFrom('oneTime').select('kind').execute()).map(({ kind }) => kind)).toEqual(['live'])
      expect((await db.selectFrom('attempt').select('key').orderBy('key').execute()).map(({ key }) => key)).toEqual([
        'blocked',
        'recent',
      ])
      const uploads = await db.selectFrom('upload').select('id').execute()
      expect(uploads).toHaveLength(1)
      expect([...objects.keys].filter((key) => key.includes(schoolId))).toEqual([chunkKey(schoolId, uploads[0]!.id, 0)])
      expect((await db.selectFrom('job').select('note').orderBy('note').execute()).map(({ note }) => note)).toEqual([
        'fresh',
        'live',
      ])
    }
    expect(await run({ ...work, signal: new AbortController().signal })).toEqual({
      sessions: 0,
      oneTimes: 0,
      attempts: 0,
      uploads: 0,
      jobs: 0,
    })
    await jobs.stop()
  })

  test('a due one is run by the queue itself', async () => {
    const { store } = bench
    const objects = memoryObjects()
    const { jobs } = makeWorker(bench, [], {
      services: (): Services =>
        ({ store, jobs, objects: { store: objects }, realtime: { toUser: () => undefined } }) as unknown as Services,
    })
    await jobs.start()
    const id = await enqueueIn(bench, jobs, systemSchool, housekeeping, {})
    await vi.waitFor(async () => expect((await selectJob(bench, id)).state).toBe('done'), { timeout: 10_000 })
    await jobs.stop()
  })
})

function memoryObjects(): Pick<ObjectStore, 'list' | 'remove'> & { keys: Set<string> } {
  const keys = new Set<string>()
  return {
    keys,
    async *list(prefix) {
      for (const key of keys) if (key.startsWith(prefix)) yield key
    },
    async remove(key) {
      keys.delete(key)
    },
  }
}

async function fill({ store }: Bench, objects: { keys: Set<string> }, schoolId: string, now: number): Promise<void> {
  const db = store.school(schoolId)
  const session = { userId: newId(), device: '', address: '', createdAt: now, seenAt: now }
  const oneTime = { keyHash: 'same', dataJson: {}, createdAt: now }
  const upload = { userId: session.userId, name: 'a', size: 2, received: 1, state: 'open' as const, createdAt: now }
  const job = {
    kind: 'old',
    dataJson: {},
    resultJson: null,
    progress: 0,
    attempt: 1,
    maxAttempts: 3,
    runAt: now + day,
    isCancelAsked: false,
    createdAt: now,
  }
  for (const [name, expiresAt] of [
    ['gone', now - 1],
    ['live', now + day],
  ] as const) {
    await db
      .insertInto('userSession')
      .values({ ...session, id: newId(), tokenHash: `${name} ${schoolId}`, expiresAt })
      .execute()
    await db
      .insertInto('oneTime')
      .values({ ...oneTime, kind: name, expiresAt })
      .execute()
    const id = newId()
    await db
      .insertInto('upload')
      .values({ ...upload, id, expiresAt })
      .execute()
    objects.keys.add(chunkKey(schoolId, id, 0))
  }
  const attempts = [
    { key: 'old', firstAt: now - 2 * day, blockedUntil: now - day },
    { key: 'recent', firstAt: now - 1000, blockedUntil: 0 },
    { key: 'blocked', firstAt: now - 2 * day, blockedUntil: now + day },
  ]
  await db
    .insertInto('attempt')
    .values(attempts.map((attempt) => ({ ...attempt, failures: 3 })))
    .execute()
  await db
    .insertInto('job')
    .values({ ...job, id: newId(), state: 'done', note: 'stale', finishedAt: now - 31 * day })
    .execute()
  await db
    .insertInto('job')
    .values({ ...job, id: newId(), state: 'failed', note: 'fresh', finishedAt: now - 29 * day })
    .execute()
  await db
    .insertInto('job')
    .values({ ...job, id: newId(), state: 'queued', note: 'live' })
    .execute()
}
