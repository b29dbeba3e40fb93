import { userCurrent } from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/db/ids.ts'
import { hashToken, makeToken } from '../src/http/token.ts'
import { until, watchSchool, type Watcher } from './cluster-load.ts'
import { startTestServer, type TestSchool, type TestServer } from './server.ts'

const crowd = 200
const callers = 8

let server: TestServer
let school: TestSchool
const watchers: Watcher[] = []
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
})
afterAll(async () => {
  for (const { socket } of watchers) socket.disconnect()
  await server.close()
})

/** So many teachers, each signed in on a device of their own; signing in by password is not what is tested here. */
async function addSignedIn(count: number): Promise<string[]> {
  const now = Date.now()
  const db = server.services.store.school(school.schoolId)
  const people = Array.from({ length: count }, (_, n) => ({
    id: newId(),
    name: `教师${n}`,
    isAdmin: false,
    state: 'active' as const,
    createdAt: now,
    updatedAt: now,
  }))
  await db.insertInto('userAccount').values(people).execute()
  const tokens = people.map(() => makeToken(school.schoolId))
  const sessions = people.map(({ id }, n) => ({
    id: newId(),
    tokenHash: hashToken(tokens[n] ?? ''),
    userId: id,
    device: '',
    address: '',
    createdAt: now,
    seenAt: now,
    expiresAt: now + 3_600_000,
  }))
  await db.insertInto('userSession').values(sessions).execute()
  return tokens
}

test(`${crowd} sockets at once are each told once, while calls go on`, async () => {
  const tokens = await addSignedIn(crowd)
  let over = false
  let answered = 0
  const calls = tokens.slice(0, callers).map(async (token) => {
    const client = server.client(token)
    while (!over) {
      await client.call(userCurrent)
      answered += 1
    }
  })
  const began = Date.now()
  watchers.push(...(await Promise.all(tokens.map((token) => watchSchool(server.url, token, ['websocket'])))))
  const connected = Date.now()
  const before = answered
  server.services.realtime.toTopic(newId(), 'school')
  server.services.realtime.toTopic(school.schoolId, 'school')
  await until(() => expect(watchers.every(({ heard }) => heard.length > 0)).toBe(true))
  const told = Date.now()
  await until(() => expect(answered).toBeGreaterThan(before + 50))
  over = true
  await Promise.all(calls)
  // A second event after the first: whatever was said twice would stand between the two.
  server.services.realtime.toTopic(school.schoolId, 'school')
  await until(() => expect(watchers.every(({ heard }) => heard.length > 1)).toBe(true))
  expect(watchers.map(({ heard }) => heard.length)).toEqual(watchers.map(() => 2))
  expect(watchers.map(({ connections }) => connections())).toEqual(watchers.map(() => 1))
  process.stdout.write(`  ${crowd} sockets watched after ${connected - began} ms, all told in ${told - connected} ms\n`)
})

test('a server that closes lets its sockets go and keeps nobody waiting', async () => {
  const closing = await startTestServer()
  const { administrator } = await closing.addSchool()
  const { token } = await closing.signIn(administrator.phone)
  const [websocket, polling] = await Promise.all([
    watchSchool(closing.url, token, ['websocket']),
    watchSchool(closing.url, token, ['polling']),
  ])
  const ended = [websocket, polling].map(({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)))
  const began = Date.now()
  await closing.close()
  expect(Date.now() - began).toBeLessThan(5000)
  await Promise.all(ended)
  for (const { socket } of [websocket, polling]) socket.disconnect()
})
