import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../db/ids.ts'
import { makeToken } from '../http/token.ts'
import type { Services } from '../services.ts'
import {
  closeAll,
  closeSockets,
  dial,
  enter,
  heard,
  job,
  listen,
  openAll,
  refusal,
  services,
  signIn,
  store,
  until,
  watch,
  type How,
} from './testing.ts'

beforeAll(openAll)
afterEach(closeSockets)
afterAll(closeAll)

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
  const person = await signIn()
  const client = await enter(node.url, person)
  const reason = new Promise((done) => client.once('disconnect', done))
  await node.realtime.close()
  expect(await reason).toBe('transport close')
  expect(node.server.listening).toBe(true)
  expect(await refusal(dial(node.url, { query: { Authorization: person.token } }))).not.toBe('access.signInNeeded')
})
