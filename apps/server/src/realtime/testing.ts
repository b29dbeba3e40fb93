import { createServer, type Server as HttpServer } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io as connect, type Socket } from 'socket.io-client'
import { pino } from 'pino'
import { vi } from 'vitest'
import type { ClientEvents, ServerEvents } from '@console/contract'
import { newId } from '../db/ids.ts'
import { createSqliteDialect } from '../db/sqlite/sqlite-dialect.ts'
import { openStore, type Store } from '../db/store.ts'
import { hashToken, makeToken } from '../http/token.ts'
import type { Services } from '../services.ts'
import { createRealtime, type RealtimeOptions } from './create-realtime.ts'
import type { Realtime } from './realtime.ts'

export type Client = Socket<ServerEvents, ClientEvents>
export type Person = { schoolId: string; userId: string; sessionId: string; token: string }
type Node = { server: HttpServer; realtime: Realtime; url: string }

export const job = { id: newId(), kind: 'test', state: 'done' as const, progress: 1, note: null, error: null }
export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 })

/** Open from `openAll` on. */
export let store: Store
let folder: string
export const services = () => ({ store }) as unknown as Services
const nodes: Node[] = []
const clients: Client[] = []

export async function closeNodes(): Promise<void> {
  for (const { realtime, server } of nodes.splice(0)) {
    await realtime.close()
    await new Promise((done) => server.close(done))
  }
}

export async function listen(more: Partial<RealtimeOptions> = {}): Promise<Node> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  const config = {
    REDIS_URL: undefined,
    PUBLIC_URL: undefined,
    TRUST_PROXY: false,
    ENV_TYPE: 'production' as const,
    CROSS_ORIGINS: '',
  }
  const log = pino({ level: 'silent' })
  const realtime = createRealtime({ server, store, config, log, ...more })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const node = { server, realtime, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  nodes.push(node)
  return node
}

export async function signIn(schoolId = newId(), userId?: string): Promise<Person> {
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

export type How = {
  transports?: ('websocket' | 'polling')[]
  auth?: Record<string, unknown>
  query?: Record<string, string>
  extraHeaders?: Record<string, string>
}

export function dial(url: string, how: How): Client {
  const client: Client = connect(url, { transports: ['websocket'], forceNew: true, reconnection: false, ...how })
  clients.push(client)
  return client
}

export async function enter(url: string, person: Person, how: How = {}): Promise<Client> {
  const client = dial(url, { query: { Authorization: person.token }, ...how })
  await new Promise<void>((done, fail) => client.once('connect', done).once('connect_error', fail))
  return client
}

export const refusal = (client: Client) =>
  new Promise<string>((done) => client.once('connect_error', ({ message }) => done(message)))
export const watch = (client: Client, topic: string) => client.emitWithAck('topic.watch', topic)
export function heard(client: Client, event: keyof ServerEvents): unknown[] {
  const list: unknown[] = []
  client.on(event, (payload: unknown) => list.push(payload))
  return list
}

export async function openAll(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'console-realtime-'))
  store = await openStore('sqlite', createSqliteDialect({ path: join(folder, 'console.db'), readers: 2 }))
}

export async function closeSockets(): Promise<void> {
  for (const client of clients.splice(0)) client.disconnect()
  await closeNodes()
}

export async function closeAll(): Promise<void> {
  await store.close()
  await rm(folder, { recursive: true, force: true })
}
