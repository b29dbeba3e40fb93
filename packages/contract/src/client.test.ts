import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callTimeoutMs, CallError, createClient, formTimeoutMs, type Client } from './client.ts'
import { binary, endpoint } from './endpoint.ts'

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void
let answer: Answer
let url = ''
let hits = 0
const server = createServer(async (request, response) => {
  hits += 1
  let body = ''
  for await (const chunk of request) body += String(chunk)
  answer(request, response, body)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  hits = 0
})

const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1' }).end(JSON.stringify(body))

const failures: CallError[] = []
const client = (options: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient({
    baseUrl: () => url,
    token: () => 'the-token',
    locale: () => 'en-US',
    onFailure: (error) => failures.push(error),
    ...options,
  })

const list = endpoint('GET /api/thing/{id}', {
  access: 'public',
  summary: 'x',
  params: z.object({ id: z.string() }),
  query: z.object({ ids: z.array(z.string()).optional(), page: z.number().optional(), none: z.string().optional() }),
  data: z.array(z.string()),
})
const save = endpoint('POST /api/thing', {
  access: 'public',
  summary: 'x',
  body: z.object({ name: z.string() }),
  data: z.null(),
})
const put = endpoint('PUT /api/thing', {
  access: 'public',
  summary: 'x',
  body: z.object({ name: z.string() }),
  data: z.null(),
})
const file = endpoint('GET /api/file', { access: 'public', summary: 'x', data: binary })

async function failed(call: Promise<unknown>): Promise<CallError> {
  return call.then(
    () => Promise.reject(new Error('it did not fail')),
    (error: unknown) => (error instanceof CallError ? error : Promise.reject(error as Error)),
  )
}

describe('AP-01 what goes out', () => {
  test('AP-01 base address, token, language, path parameters, and arrays repeated', async () => {
    let seen: IncomingMessage | undefined
    answer = (request, response) => {
      seen = request
      json(response, 200, { code: 0, data: ['ok'], msg: '' })
    }
    const data = await client().call(list, { params: { id: 'a/b ?&' }, query: { ids: ['1', '2 3'], page: 2 } })
    expect(data).toEqual(['ok'])
    expect(seen?.url).toBe('/api/thing/a%2Fb%20%3F%26?ids=1&ids=2+3&page=2')
    expect(seen?.headers).toMatchObject({ authorization: 'the-token', 'accept-language': 'en-US' })
  })

  test('AP-01 no token, no header; the time limit is 120 s', async () => {
    let seen: IncomingMessage | undefined
    answer = (request, response) => {
      seen = request
      json(response, 200, { code: 0, data: [], msg: '' })
    }
    await client({ token: () => null }).call(list, { params: { id: '1' } })
    expect(seen?.headers).not.toHaveProperty('authorization')
    expect([callTimeoutMs, formTimeoutMs]).toEqual([120_000, 999_999])
  })

  test('AP-01 the progress of a download is told', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '300000' })
      response.write(Buffer.alloc(100_000))
      response.end(Buffer.alloc(200_000))
    }
    const told: number[] = []
    const blob = await client().call(
      file,
      {},
      { onDownloadProgress: ({ loaded, total }) => told.push(loaded / (total ?? 1)) },
    )
    expect(blob.size).toBe(300_000)
    expect(told.at(-1)).toBe(1)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
  })
})

describe('AP-02 the envelope', () => {
  test('AP-02 no code field: the body as it is; code 0: its data', async () => {
    answer = (_request, response) => json(response, 200, ['plain'])
    expect(await client().call(list, { params: { id: '1' } })).toEqual(['plain'])
    answer = (_request, response) => json(response, 200, { code: 0, data: ['in'] })
    expect(await client().call(list, { params: { id: '1' } })).toEqual(['in'])
  })

  test('AP-02 any other code is a failure with everything the server said, whatever the HTTP status', async () => {
    for (const status of [200, 409]) {
      answer = (_request, response) =>
        json(response, status, {
          code: 409,
          data: null,
          msg: '已被占用',
          error: 'user.phoneTaken',
          requestId: 'r-9',
          fields: [{ path: 'phone', error: 'x', msg: 'y' }],
          wait: 5,
        })
      const error = await failed(client().call(save, { body: { name: 'x' } }))
      expect(error.details).toMatchObject({
        kind: 'envelope',
        status,
        code: 409,
        msg: '已被占用',
        error: 'user.phoneTaken',
        requestId: 'r-9',
        wait: 5,
      })
      expect(error.details.fields).toHaveLength(1)
    }
    expect(failures.at(-1)?.details.code).toBe(409)
  })

  test('who shows a failure at its place is not announced to', async () => {
    answer = (_request, response) => json(response, 200, { code: 1, data: null, msg: 'x' })
    const before = failures.length
    await failed(client().call(save, { body: { name: 'x' } }, { handlesFailure: true }))
    expect(failures).toHaveLength(before)
  })
})

describe('AP-03 no envelope, no answer', () => {
  test.each([400, 401, 403, 404, 408, 500, 501, 504, 505])(
    'AP-03 HTTP %i without an envelope is that status',
    async (status) => {
      answer = (_request, response) =>
        response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>gateway</h1>')
      const { details } = await failed(client().call(save, { body: { name: 'x' } }))
      expect(details).toMatchObject({ kind: 'http', status, code: status, path: '/api/thing' })
    },
  )

  test('AP-03 a cancelled call is cancelled and nothing else', async () => {
    answer = () => undefined
    const abort = new AbortController()
    const call = failed(client().call(list, { params: { id: '1' } }, { signal: abort.signal }))
    abort.abort()
    expect((await call).details.kind).toBe('cancelled')
  })

  test('an answer that does not come in time', async () => {
    answer = () => undefined
    expect((await failed(client().call(save, { body: { name: 'x' } }, { timeout: 50 }))).details.kind).toBe('timeout')
  })

  test('what may be sent twice is sent again when a server goes away; a POST never is', async () => {
    answer = (request, response) =>
      hits === 1 ? request.socket.destroy() : json(response, 200, { code: 0, data: null })
    await client().call(put, { body: { name: 'x' } })
    expect(hits).toBe(2)
    hits = 0
    answer = (_request, response) =>
      hits === 1 ? response.writeHead(503).end() : json(response, 200, { code: 0, data: ['again'] })
    expect(await client().call(list, { params: { id: '1' } })).toEqual(['again'])
    hits = 0
    answer = (request) => request.socket.destroy()
    expect((await failed(client().call(save, { body: { name: 'x' } }))).details.kind).toBe('network')
    expect(hits).toBe(1)
  })

  test('a body that says JSON and is none', async () => {
    answer = (_request, response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{"code":')
    expect((await failed(client().call(save, { body: { name: 'x' } }))).details).toMatchObject({
      kind: 'http',
      status: 500,
    })
  })
})

test('AP-05 the form-encoded helper: 200 is success, 403 is failure, anything else that answers is success', async () => {
  let seen: { type: string | undefined; body: string } | undefined
  for (const [status, success] of [
    [200, true],
    [403, false],
    [404, true],
    [500, true],
  ] as const) {
    answer = (request, response, body) => {
      seen = { type: request.headers['content-type'], body }
      response.writeHead(status).end('whatever')
    }
    expect(await client().postForm(`${url}/form`, { a: '1 2', b: '中文' }), String(status)).toBe(success)
  }
  expect(seen).toEqual({ type: 'application/x-www-form-urlencoded', body: 'a=1+2&b=%E4%B8%AD%E6%96%87' })
})
