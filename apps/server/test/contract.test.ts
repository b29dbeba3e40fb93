import { once } from 'node:events'
import { connect } from 'node:net'
import { CallError, binary, createClient, endpoint, type Client } from '@console/contract'
import { Readable, Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { handle, type Route } from '../src/http/context.ts'
import { registerOpenApi } from '../src/http/openapi.ts'
import { register } from '../src/http/route.ts'
import { createLog } from '../src/log.ts'
import type { Services } from '../src/services.ts'

const pathAndQuery = endpoint('GET /api/test/{kind}/{id}', {
  access: 'public',
  summary: 'x',
  params: z.object({ kind: z.enum(['a', 'b']), id: z.string().max(5) }),
  query: z.object({ n: z.coerce.number<string | number>().default(7) }),
  data: z.object({ kind: z.string(), id: z.string(), n: z.number() }),
})
const nothing = endpoint('DELETE /api/test/nothing', { access: 'public', summary: 'x', data: z.null() })
const form = endpoint('POST /api/test/form', {
  access: 'public',
  summary: 'x',
  multipart: z.object({ title: z.string().min(1) }),
  data: z.object({ title: z.string(), files: z.array(z.object({ field: z.string(), size: z.number() })) }),
})
const bytes = endpoint('PATCH /api/test/bytes', {
  access: 'public',
  summary: 'x',
  bytes: { limit: 1000 },
  data: z.number(),
})
const file = endpoint('GET /api/test/file', { access: 'public', summary: 'x', data: binary })
const wrong = endpoint('GET /api/test/wrong', { access: 'public', summary: 'x', data: z.object({ n: z.number() }) })
const slow = endpoint('GET /api/test/slow', { access: 'public', summary: 'x', data: z.null() })

// @ts-expect-error -- a route without an access key does not compile
endpoint('GET /api/test/open', { summary: 'x', data: z.null() })
// @ts-expect-error -- nor with a key that nobody knows
endpoint('GET /api/test/open', { access: 'everybody', summary: 'x', data: z.null() })
// @ts-expect-error -- nor when the path names a parameter that the schema does not
endpoint('GET /api/test/{id}', { access: 'public', summary: 'x', data: z.null() })
// @ts-expect-error -- nor when the handler answers with something else
handle(nothing, async () => 'something')

const reached = Promise.withResolvers<void>()
const lines: Record<string, unknown>[] = []
const logged = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>)
    done()
  },
})

const gone = Promise.withResolvers<string>()
const routes: Route[] = [
  handle(pathAndQuery, async ({ params, query }) => ({ ...params, n: query.n })),
  handle(nothing, async () => null),
  handle(form, async ({ fields, files }) => ({
    title: fields.title,
    files: files.map((item) => ({ field: item.field, size: item.bytes.length })),
  })),
  handle(bytes, async ({ bytes: body }) => {
    let size = 0
    for await (const piece of body as AsyncIterable<Buffer>) size += piece.length
    return size
  }),
  handle(file, async () => ({ type: 'text/plain', length: 6, body: Readable.from(['abc', 'def']) })),
  handle(wrong, async () => ({ n: 'not a number' }) as never),
  handle(slow, async ({ signal }) => {
    reached.resolve()
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    gone.resolve('the handler saw that nobody waits any more')
    return null
  }),
]

let app: FastifyInstance
let client: Client
beforeAll(async () => {
  const config = readConfig({}, 'test')
  app = await createApp(config, createLog({ LOG_LEVEL: 'info' }, logged))
  await registerOpenApi(app)
  await app.register(async (scope) => {
    for (const route of routes) register(scope, { config } as Services, route)
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  client = createClient({ baseUrl: () => address, token: () => null, locale: () => 'zh-CN' })
})
afterAll(() => app.close())

const refused = (call: Promise<unknown>) =>
  call.then(
    () => null,
    (error: unknown) => (error instanceof CallError ? error.details : null),
  )

test('path and query arrive checked and typed, defaults filled in', async () => {
  expect(await client.call(pathAndQuery, { params: { kind: 'b', id: 'x y' } })).toEqual({ kind: 'b', id: 'x y', n: 7 })
  expect(await client.call(pathAndQuery, { params: { kind: 'a', id: '/' }, query: { n: 3 } })).toEqual({
    kind: 'a',
    id: '/',
    n: 3,
  })
  const answer = await refused(
    client.call(pathAndQuery, { params: { kind: 'c' as 'a', id: 'too long' }, query: { n: 'x' } }),
  )
  expect(answer?.fields.map((field) => [field.path, field.error])).toEqual([
    ['kind', 'field.option'],
    ['id', 'field.tooLong'],
  ])
})

test('null is data too and comes in an envelope', async () => {
  expect(await client.call(nothing)).toBeNull()
})

test('a form with files: fields checked, files by field', async () => {
  const files = { one: new Blob(['12345'], { type: 'image/png' }), two: new Blob([new Uint8Array(70_000)]) }
  expect(await client.call(form, { fields: { title: '标题' }, files })).toEqual({
    title: '标题',
    files: [
      { field: 'one', size: 5 },
      { field: 'two', size: 70_000 },
    ],
  })
  const answer = await refused(client.call(form, { fields: { title: '' } }))
  expect(answer?.fields).toMatchObject([{ path: 'title', error: 'field.tooShort' }])
  const large = await refused(
    client.call(form, { fields: { title: 'x' }, files: { one: new Blob([new Uint8Array(11_000_000)]) } }),
  )
  expect(large?.error).toBe('request.tooLarge')
})

test('bytes go to the handler as they come, up to the limit', async () => {
  expect(await client.call(bytes, { bytes: new Uint8Array(1000) })).toBe(1000)
  expect((await refused(client.call(bytes, { bytes: new Uint8Array(1001) })))?.error).toBe('request.tooLarge')
})

test('a file is no envelope', async () => {
  const blob = await client.call(file)
  expect(await blob.text()).toBe('abcdef')
})

test('what a handler should never have answered does not leave', async () => {
  expect(await refused(client.call(wrong))).toMatchObject({ status: 500, error: 'server.internal' })
})

test('who gives up is noticed by the handler', async () => {
  const abort = new AbortController()
  const call = refused(client.call(slow, {}, { signal: abort.signal }))
  await reached.promise
  abort.abort()
  expect((await call)?.kind).toBe('cancelled')
  expect(await gone.promise).toContain('nobody waits')
})

test('each of these is in the OpenAPI document with its parts', async () => {
  const { paths } = (await app.inject('/openapi.json')).json() as { paths: Record<string, Record<string, never>> }
  expect(paths['/api/test/{kind}/{id}']).toMatchObject({
    get: { parameters: expect.arrayContaining([expect.objectContaining({ in: 'path', name: 'kind' })]) },
  })
  expect(paths['/api/test/form']).toMatchObject({
    post: {
      requestBody: { content: { 'multipart/form-data': { schema: { properties: { title: { type: 'string' } } } } } },
    },
  })
  expect(paths['/api/test/bytes']).toMatchObject({
    patch: { requestBody: { content: { 'application/octet-stream': {} } } },
  })
})

test('the log has one line a request, with the id that the caller was told, and nothing of what was asked', async () => {
  const answer = await app.inject({
    url: '/api/test/a/1?n=5&token=very-secret',
    headers: { authorization: 'hidden-token-value' },
  })
  const line = lines.find((item) => item['reqId'] === answer.headers['x-request-id'])
  expect(line).toMatchObject({ method: 'GET', path: '/api/test/a/1', status: 200, msg: 'request' })
  expect(JSON.stringify(lines)).not.toMatch(/very-secret|hidden-token-value/)
  const failed = await app.inject('/api/test/wrong')
  const failure = lines.find((item) => item['reqId'] === failed.headers['x-request-id'] && item['level'] === 50)
  expect(JSON.stringify(failure)).toContain('stack')
})

test('a server that stops does not wait for a connection that never asked anything', { timeout: 5000 }, async () => {
  const other = await createApp(readConfig({}, 'test'), createLog({ LOG_LEVEL: 'silent' }))
  const address = new URL(await other.listen({ port: 0, host: '127.0.0.1' }))
  const seen = once(other.server, 'connection')
  const socket = connect(Number(address.port), address.hostname)
  await seen
  const ended = once(socket, 'close')
  await other.close()
  expect(await ended).toBeDefined()
})
