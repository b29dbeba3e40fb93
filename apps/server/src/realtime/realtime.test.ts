import { createServer, type Server as HttpServer } from 'node:http'
import {
  connect as connectNet,
  createServer as createNetServer,
  type AddressInfo,
  type Socket as NetSocket,
} from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io as connect, type Socket } from 'socket.io-client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ClientEvents, ServerEvents } from '@console/contract'
import { newId } from '../db/ids.ts'
import { createSqliteDialect } from '../db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from '../db/store.ts'
import { hashToken, makeToken } from '../http/token.ts'
import type { Services } from '../services.ts'
import { createRealtime, type RealtimeOptions } from './create-realtime.ts'
import type { Realtime } from './realtime.ts'

type Client = Socket<ServerEvents, ClientEvents>
type Person = { schoolId: string; userId: string; sessionId: string; token: string }
type Node = { server: HttpServer; realtime: Realtime; url: string }

const redisUrl = process.env['TEST_REDIS_URL']
const job = { id: newId(), kind: 'test', state: 'done' as const, progress: 1, note: null, error: null }
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

let store: Store
let folder: string
const services = () => ({ store }) as unknown as Services
const nodes: Node[] = []
const clients: Client[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-realtime-'))
  store = await openStore('sqlite', createSqliteDialect({ path: join(folder, 'console.db'), readers: 2 }))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.disconnect()
  for (const { realtime, server } of nodes.splice(0)) {
    await realtime.close()
    await new Promise((done) => server.close(done))
  }
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

async function listen(more: Partial<RealtimeOptions> = {}): Promise<Node> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const config = { REDIS_URL: undefined, PUBLIC_URL: undefined, TRUST_PROXY: false }
  const log = pino({ level: 'silent' })
  const realtime = createRealtime({ server, store, config, log, ...more })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const node = { server, realtime, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  nodes.push(node)
  return node
}

async function signIn(schoolId = newId(), userId?: string): Promise<Person> {
  const now = Date.now()
  const db = store.school(schoolId)
  const id = userId ?? newId()
  if (!userId) {
    const account = { id, name: 'A', isAdmin: false, state: 'active' as const, createdAt: now, updatedAt: now }
    await db.insertInto('userAccount').values(account).execute()
  }
  const token = makeToken(schoolId)
  const session = {
    id: newId(),
    userId: id,
    device: '',
    address: '',
    createdAt: now,
    seenAt: now,
    expiresAt: now + 60_000,
  }
  await db
    .insertInto('userSession')
    .values({ ...session, tokenHash: hashToken(token) })
    .execute()
  return { schoolId, userId: id, sessionId: session.id, token }
}

type How = {
  transports?: ('websocket' | 'polling')[]
  auth?: Record<string, unknown>
  query?: Record<string, string>
  extraHeaders?: Record<string, string>
}

function dial(url: string, how: How): Client {
  const client: Client = connect(url, { transports: ['websocket'], forceNew: true, reconnection: false, ...how })
  clients.push(client)
  return client
}

async function enter(url: string, person: Person, how: How = {}): Promise<Client> {
  const client = dial(url, { query: { Authorization: person.token }, ...how })
  await new Promise<void>((done, fail) => client.once('connect', done).once('connect_error', fail))
  return client
}

const refusal = (client: Client) =>
  new Promise<string>((done) => client.once('connect_error', ({ message }) => done(message)))
const watch = (client: Client, topic: string) => client.emitWithAck('topic.watch', topic)
function heard(client: Client, event: keyof ServerEvents): unknown[] {
  const list: unknown[] = []
  client.on(event, (payload: unknown) => list.push(payload))
  return list
}

describe('who may connect', () => {
  let url: string
  beforeEach(async () => {
    ;({ url } = await listen())
  })

  test.each([
    ['nothing', {}],
    ['a token of nobody', { query: { Authorization: makeToken(newId()) } }],
    ['no token at all', { query: { Authorization: 'Bearer ' } }],
    ['a thing that is no text', { auth: { token: { a: 1 } } }],
  ])('%s is refused', async (_what, how: How) => {
    expect(await refusal(dial(url, how))).toBe('access.signInNeeded')
    expect(await refusal(dial(url, { ...how, transports: ['polling'] }))).toBe('access.signInNeeded')
  })

  test('a token is taken bare, as Bearer and from auth, over both transports', async () => {
    const person = await signIn()
    const { token } = person
    const ways: How[] = [
      { query: { Authorization: token } },
      { query: { Authorization: `Bearer ${token}` } },
      { query: {}, auth: { token } },
    ]
    for (const transport of ['websocket', 'polling'] as const) {
      for (const way of ways) {
        const client = await enter(url, person, { ...way, transports: [transport] })
        expect(client.io.engine.transport.name).toBe(transport)
      }
    }
  })

  test('an expired session and a disabled account are refused', async () => {
    const [late, disabled] = [await signIn(), await signIn()]
    await store
      .school(late.schoolId)
      .updateTable('userSession')
      .set({ expiresAt: Date.now() - 1 })
      .execute()
    await store.school(disabled.schoolId).updateTable('userAccount').set({ state: 'disabled' }).execute()
    for (const { token } of [late, disabled])
      expect(await refusal(dial(url, { query: { Authorization: token } }))).toBe('access.signInNeeded')
  })

  test("another site's page is refused, the own one is not", async () => {
    const person = await signIn()
    const query = { Authorization: person.token }
    expect(await refusal(dial(url, { query, extraHeaders: { Origin: 'https://elsewhere.example' } }))).not.toBe(
      'access.signInNeeded',
    )
    expect(await refusal(dial(url, { query, extraHeaders: { Origin: 'null' } }))).toBeTruthy()
    await enter(url, person, { query, extraHeaders: { Origin: url } })
  })

  test('a user has at most 20 connections', async () => {
    const person = await signIn()
    for (let at = 0; at < 20; at += 1) await enter(url, person)
    expect(await refusal(dial(url, { query: { Authorization: person.token } }))).toBe('request.tooMany')
    await enter(url, await signIn(person.schoolId))
  })
})

describe('who hears what', () => {
  test('an event goes to all sockets of its user and to nobody else', async () => {
    const { url, realtime } = await listen()
    const [one, other] = [await signIn(), await signIn()]
    const mine = [await enter(url, one), await enter(url, one, { transports: ['polling'] })].map((client) =>
      heard(client, 'job.changed'),
    )
    const theirs = heard(await enter(url, other), 'job.changed')
    realtime.toUser(one.userId, 'job.changed', job)
    await until(() => expect(mine).toEqual([[job], [job]]))
    realtime.toUser(other.userId, 'job.changed', { ...job, progress: 0.5 })
    await until(() => expect(theirs).toHaveLength(1))
    expect(mine.map((list) => list.length)).toEqual([1, 1])
  })

  test('a topic is heard by those of the school who may watch it, until they leave', async () => {
    const exam = newId()
    const asked = vi.fn(async (_services: Services, _session: unknown, id: string) => id === exam)
    const broken = async (): Promise<boolean> => {
      throw new Error('no answer')
    }
    const { url, realtime } = await listen({ topics: { services, policies: { exam: asked, broken } } })
    const one = await signIn()
    const [near, far] = [await enter(url, one), await enter(url, await signIn())]
    const [nearHeard, farHeard] = [heard(near, 'topic.changed'), heard(far, 'topic.changed')]
    for (const client of [near, far]) expect(await watch(client, 'school')).toEqual({ ok: true })
    expect(await watch(near, `exam:${exam}`)).toEqual({ ok: true })
    for (const topic of [
      `exam:${newId()}`,
      'unknown',
      `unknown:${exam}`,
      'constructor',
      'broken',
      'Exam',
      `exam:${exam} `,
      '',
      `school:${exam}`,
    ]) {
      expect(await watch(near, topic), topic).toEqual({ ok: false })
    }
    expect(asked).toHaveBeenCalledTimes(2)
    realtime.toTopic(one.schoolId, 'school')
    realtime.toTopic(one.schoolId, `exam:${exam}`)
    await until(() => expect(nearHeard).toMatchObject([{ topic: 'school' }, { topic: `exam:${exam}` }]))
    near.emit('topic.leave', 'school')
    expect(await watch(near, 'unknown')).toEqual({ ok: false })
    realtime.toTopic(one.schoolId, 'school')
    realtime.toTopic(one.schoolId, `exam:${exam}`)
    await until(() => expect(nearHeard).toHaveLength(3))
    expect(farHeard).toEqual([])
  })

  test('a socket watches at most 50 topics; hostile wishes hurt nobody', async () => {
    const { url } = await listen({ topics: { services, policies: { exam: async () => true } } })
    const client = await enter(url, await signIn())
    const answers = await Promise.all(Array.from({ length: 60 }, () => watch(client, `exam:${newId()}`)))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(50)
    const raw = client as unknown as { emit: (...given: unknown[]) => void }
    for (const given of [[], [null], [{}, 1], [7, 'x'], ['school'], [['school'], null]])
      raw.emit('topic.watch', ...given)
    raw.emit('topic.leave', {})
    raw.emit('nothing.like.it', 1)
    expect(await watch(client, 'unknown')).toEqual({ ok: false })
    raw.emit('topic.watch', 'x'.repeat(20_000))
    await until(() => expect(client.connected).toBe(false))
  })
})

describe('the end of a session', () => {
  test('its sockets are told and cut, others of the user stay', async () => {
    const { url, realtime } = await listen()
    const one = await signIn()
    const second = await signIn(one.schoolId, one.userId)
    const [ended, kept] = [await enter(url, one), await enter(url, second)]
    const polling = await enter(url, one, { transports: ['polling'] })
    const told = [ended, polling].map((client) => heard(client, 'session.ended'))
    realtime.endSessions([one.sessionId], 'password')
    await until(() => expect([ended.connected, polling.connected]).toEqual([false, false]))
    expect(told).toEqual([['password'], ['password']])
    expect(kept.connected).toBe(true)
  })

  test('what nobody announced is found by looking', async () => {
    const { url } = await listen({ checkEveryMs: 50 })
    const [expired, removed, disabled, kept] = [await signIn(), await signIn(), await signIn(), await signIn()]
    const sockets = [await enter(url, expired), await enter(url, removed), await enter(url, disabled)]
    const stays = await enter(url, kept)
    await store
      .school(expired.schoolId)
      .updateTable('userSession')
      .set({ expiresAt: Date.now() - 1 })
      .execute()
    await store.school(removed.schoolId).deleteFrom('userSession').execute()
    await store.school(disabled.schoolId).updateTable('userAccount').set({ state: 'disabled' }).execute()
    await until(() => expect(sockets.map(({ connected }) => connected)).toEqual([false, false, false]))
    expect(stays.connected).toBe(true)
  })
})

test('200 sockets at once', async () => {
  const { url, realtime } = await listen()
  const schoolId = newId()
  const people = await Promise.all(Array.from({ length: 200 }, () => signIn(schoolId)))
  const started = Date.now()
  const sockets = await Promise.all(people.map((person) => enter(url, person)))
  const opened = Date.now() - started
  await Promise.all(sockets.map((socket) => watch(socket, 'school')))
  const lists = sockets.map((socket) => heard(socket, 'topic.changed'))
  const said = Date.now()
  realtime.toTopic(schoolId, 'school')
  await until(() => expect(lists.every((list) => list.length === 1)).toBe(true))
  process.stdout.write(`  200 sockets opened in ${opened} ms, all told in ${Date.now() - said} ms\n`)
})

test('closing lets browsers come again and leaves the HTTP server to its owner', async () => {
  const node = await listen()
  const client = await enter(node.url, await signIn())
  const reason = new Promise((done) => client.once('disconnect', done))
  await node.realtime.close()
  expect(await reason).toBe('transport close')
  expect(node.server.listening).toBe(true)
})

test('two processes tell each other’s sockets', async () => {
  if (!redisUrl) process.stdout.write('  TEST_REDIS_URL is not set: the adapter of a single process stood in\n')
  const config = { REDIS_URL: redisUrl, PUBLIC_URL: undefined, TRUST_PROXY: false }
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
  const config = { REDIS_URL: 'redis://127.0.0.1:1', PUBLIC_URL: undefined, TRUST_PROXY: false }
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

test('a Redis that goes away and comes back joins the processes again', async ({ skip }) => {
  if (!redisUrl) return skip('TEST_REDIS_URL is not set')
  const door = await openDoor(redisUrl)
  const config = { REDIS_URL: door.url, PUBLIC_URL: undefined, TRUST_PROXY: false }
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
  nearHeard.length = 0
  first.realtime.toUser(one.userId, 'job.changed', job)
  await until(() => expect(nearHeard).toHaveLength(1))
  farHeard.length = 0
  door.set(true)
  await untilJoined()
  door.set(false)
  await Promise.all(nodes.splice(0).map(({ realtime, server }) => Promise.all([realtime.close(), server.close()])))
  return door.close()
})
