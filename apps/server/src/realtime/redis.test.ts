import {
  connect as connectNet,
  createServer as createNetServer,
  type AddressInfo,
  type Socket as NetSocket,
} from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  closeAll,
  closeNodes,
  closeSockets,
  enter,
  heard,
  job,
  listen,
  openAll,
  signIn,
  until,
  watch,
} from './testing.ts'

const redisUrl = process.env['TEST_REDIS_URL']
beforeAll(openAll)
afterEach(closeSockets)
afterAll(closeAll)

test('two processes tell each other’s sockets', async () => {
  if (!redisUrl) process.stdout.write('  TEST_REDIS_URL is not set: the adapter of a single process stood in\n')
  const config = {
    REDIS_URL: redisUrl,
    PUBLIC_URL: undefined,
    TRUST_PROXY: false,
    ENV_TYPE: 'production' as const,
    CROSS_ORIGINS: '',
  }
  const first = await listen({ config })
  const second = redisUrl ? await listen({ config }) : first
  const one = await signIn()
  const client = await enter(second.url, one)
  const [jobs, topics, ends] = [
    heard(client, 'job.changed'),
    heard(client, 'topic.changed'),
    heard(client, 'session.ended'),
  ]
  await watch(client, 'school')
  // Said until heard: when Redis has joined the two is nothing that either can know.
  await until(() => {
    first.realtime.toUser(one.userId, 'job.changed', job)
    expect(jobs.length).toBeGreaterThan(0)
  })
  first.realtime.toTopic(one.schoolId, 'school')
  await until(() => expect(topics).toHaveLength(1))
  first.realtime.endSessions([one.sessionId], 'revoked')
  await until(() => expect(client.connected).toBe(false))
  expect(ends).toEqual(['revoked'])
})

test('without Redis each process serves its own, and ends as ever', async () => {
  const config = {
    REDIS_URL: 'redis://127.0.0.1:1',
    PUBLIC_URL: undefined,
    TRUST_PROXY: false,
    ENV_TYPE: 'production' as const,
    CROSS_ORIGINS: '',
  }
  const { url, realtime } = await listen({ config })
  const one = await signIn()
  const client = await enter(url, one)
  const jobs = heard(client, 'job.changed')
  realtime.toUser(one.userId, 'job.changed', job)
  await until(() => expect(jobs).toHaveLength(1))
  realtime.endSessions([one.sessionId], 'revoked')
  await until(() => expect(client.connected).toBe(false))
})

/** Redis behind a door that the test can shut. */
async function openDoor(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<NetSocket>()
  let isOpen = true
  const door = createNetServer((near) => {
    if (!isOpen) return near.destroy()
    const far = connectNet(Number(port || 6379), hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => undefined))
    return near.pipe(far).pipe(near)
  })
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  return {
    url: `redis://127.0.0.1:${(door.address() as AddressInfo).port}`,
    set: (open: boolean) => {
      isOpen = open
      if (!open) for (const socket of sockets) socket.destroy()
    },
    close: () => new Promise((done) => door.close(done)),
  }
}

test('a Redis that goes away and comes back joins the processes again', async () => {
  // Without a Redis there is nothing to lose: the adapter of a single process stands in.
  if (!redisUrl) return expect(redisUrl).toBeUndefined()
  const door = await openDoor(redisUrl)
  const config = {
    REDIS_URL: door.url,
    PUBLIC_URL: undefined,
    TRUST_PROXY: false,
    ENV_TYPE: 'production' as const,
    CROSS_ORIGINS: '',
  }
  const [first, second] = [await listen({ config }), await listen({ config })]
  const one = await signIn()
  const [near, far] = [await enter(first.url, one), await enter(second.url, one)]
  const [nearHeard, farHeard] = [heard(near, 'job.changed'), heard(far, 'job.changed')]
  const untilJoined = () =>
    until(() => {
      first.realtime.toUser(one.userId, 'job.changed', job)
      expect(farHeard.length).toBeGreaterThan(0)
    })
  await untilJoined()
  door.set(false)
  const alone = { ...job, note: 'while Redis is away' }
  first.realtime.toUser(one.userId, 'job.changed', alone)
  await until(() => expect(nearHeard).toContainEqual(alone))
  farHeard.length = 0
  door.set(true)
  await untilJoined()
  expect(farHeard).not.toContainEqual(alone)
  door.set(false)
  await closeNodes()
  return door.close()
})
