import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import * as contract from '@console/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
let token: string
beforeAll(async () => {
  server = await startTestServer({ METRICS_TOKEN: 'metrics-secret' })
  school = await server.addSchool()
  ;({ token } = await server.signIn(school.administrator.phone))
})
afterAll(() => server.close())

type Failure = { code: number; error: string; msg: string; data: null; requestId: string }
const send = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(server.url + path, {
    ...init,
    headers: { authorization: token, ...(init.headers as Record<string, string>) },
  })
  return { answer, body: (await answer.json()) as Failure }
}
const post = (body: string, type = 'application/json') =>
  send('/api/user', { method: 'POST', body, headers: { 'content-type': type } })

describe('what is refused, each with its own code', () => {
  test('malformed, too deep, too large, of another type, or meant for a prototype', async () => {
    const cases: [string, string, number, string][] = [
      ['{"name":', 'application/json', 400, 'request.malformed'],
      ['', 'application/json', 400, 'request.malformed'],
      [`${'['.repeat(40)}${']'.repeat(40)}`, 'application/json', 400, 'request.tooDeep'],
      [`{"name":"${'x'.repeat(1_100_000)}"}`, 'application/json', 413, 'request.tooLarge'],
      ['<a/>', 'application/xml', 415, 'request.unsupportedType'],
      ['name=x', 'text/plain', 415, 'request.unsupportedType'],
      ['{"__proto__":{"isAdmin":true}}', 'application/json', 400, 'request.malformed'],
      ['{"constructor":{"prototype":{"a":1}}}', 'application/json', 400, 'request.malformed'],
      ['[]', 'application/json', 400, 'request.invalid'],
      ['null', 'application/json', 400, 'request.invalid'],
    ]
    for (const [body, type, status, error] of cases) {
      const { answer, body: envelope } = await post(body, type)
      expect([answer.status, envelope.code, envelope.error, envelope.data], body.slice(0, 40)).toEqual([
        status,
        status,
        error,
        null,
      ])
      expect(envelope.requestId).toBe(answer.headers.get('x-request-id'))
    }
  })

  test('deep brackets inside a string are no depth', async () => {
    const { body } = await post(JSON.stringify({ name: '['.repeat(45), phone: '13900000000' }))
    expect(body.code).toBe(0)
  })

  test('U+0000 and other control characters are refused at their field, on both engines alike', async () => {
    const call = (name: string) =>
      refusal(server.client(token).call(contract.userAdd, { body: { name, phone: '13811110001' } }))
    for (const name of ['a\u0000b', '\u0007', 'x\u001b[31m']) {
      expect((await call(name)).fields).toMatchObject([{ path: 'name', error: 'field.controlCharacter' }])
    }
    const search = await refusal(server.client(token).call(contract.userPage, { query: { text: 'a\u0000' } }))
    expect(search.fields).toMatchObject([{ path: 'text', error: 'field.controlCharacter' }])
  })

  test('an id that is none, a page that is none', async () => {
    for (const id of [
      '1',
      'x'.repeat(150),
      '../../etc/passwd',
      "'; drop table user_account; --",
      '%00',
      '00000000-0000-0000-0000-00000000000g',
    ]) {
      expect((await send(`/api/user/${encodeURIComponent(id)}`)).answer.status, id).toBe(400)
    }
    for (const query of [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'size=1000',
      'page=1&page=2',
      'page=NaN',
      'page=1e309',
      'subjectId=1',
    ]) {
      expect((await send(`/api/user/page?${query}`)).body.error, query).toBe('request.invalid')
    }
  })

  test('an unknown address, an unknown method, an address that cannot be read', async () => {
    const unknown = await send('/api/nothing/here?x=1')
    expect([unknown.answer.status, unknown.body.msg]).toEqual([404, '请求地址不存在：/api/nothing/here'])
    expect((await send('/api/user', { method: 'PATCH' })).answer.status).toBe(404)
    expect((await send('/api/user/%E0%A4%A')).answer.status).toBe(400)
    expect((await send(`/api/user/page?text=${'x'.repeat(9000)}`)).answer.status).toBe(413)
  })

  test('each refusal is in the language of the request', async () => {
    const say = async (language: string) =>
      (await send('/api/nothing', { headers: { 'accept-language': language } })).body.msg
    expect(await say('en-US,en;q=0.9')).toBe('request address error: /api/nothing')
    expect(await say('en-GB')).toBe('request address error: /api/nothing')
    expect(await say('zh-TW,en;q=0.5')).toBe('请求地址不存在：/api/nothing')
    expect(await say('fr')).toBe('请求地址不存在：/api/nothing')
    expect(await say(`${'x,'.repeat(3000)}en`)).toBe('请求地址不存在：/api/nothing')
  })
})

test('no stack trace, path or query leaves the server when something breaks inside', async () => {
  const { store } = server.services
  const { school: real } = store
  store.school = () => {
    throw new Error('secret detail at /etc/path select * from user_account')
  }
  try {
    const { answer, body } = await send('/api/user/page')
    expect(answer.status).toBe(500)
    expect(JSON.stringify(body)).not.toMatch(/secret|select|\/etc|node_modules|at /)
    expect(body.msg).toContain(body.requestId)
  } finally {
    store.school = real
  }
})

test('the headers of every answer: a strict policy for content, no sniffing, no caching of calls', async () => {
  const page = await fetch(`${server.url}/api/environment`)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toMatch(/script-src[^;]*(unsafe|data:|blob:|\*)/)
  expect(policy).toContain("object-src 'none'")
  expect(page.headers.get('x-content-type-options')).toBe('nosniff')
  expect(page.headers.get('cache-control')).toBe('no-store')
  expect(page.headers.get('x-powered-by')).toBeNull()
  expect(page.headers.get('access-control-allow-origin')).toBeNull()
})

test('/healthz answers, /metrics only with its token', async () => {
  expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ ok: true })
  expect((await fetch(`${server.url}/metrics`)).status).toBe(403)
  expect((await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(403)
  const metrics = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer metrics-secret' } })
  const text = await metrics.text()
  expect(metrics.status).toBe(200)
  expect(text).toContain('console_request_seconds_bucket')
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect(text).not.toContain(school.administrator.id)
})

test('broken protocol closes the connection and harms nobody else', async () => {
  const raw = (bytes: string | Uint8Array) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => (text += chunk.toString('latin1')))
      socket.on('close', () => resolve(text))
      socket.on('error', () => undefined)
      socket.end(bytes)
    })
  for (const bytes of [
    'GET\r\n\r\n',
    'GET / HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`,
    'POST /api/user HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /api/user HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    new Uint8Array([0x16, 0x03, 0x01, 0x00, 0xff]),
    Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n', 'latin1'),
  ]) {
    expect(await raw(bytes)).not.toMatch(/HTTP\/1\.1 5\d\d/)
  }
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
})

test('a compressed body is not unpacked: a bomb stays small', async () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000, 32))
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: bomb,
  })
  expect(answer.status).toBe(400)
})

test('the console’s log entries arrive with tokens masked', async () => {
  const { maskTokens } = await import('../src/modules/environment/mask.ts')
  expect(maskTokens(`failed at #/wflLogin?token=${token}&x=1 with ${token}`)).not.toContain(token.slice(8, 40))
  expect(maskTokens('{"password":"Geheim-123"} id_token=abc.def')).not.toMatch(/Geheim|abc\.def/)
  const entries = [{ message: 'x', type: 'error' as const, time: '2026-11-21 08:00:00', page: '#/' }]
  expect(await server.client().call(contract.logAdd, { body: { entries } })).toBeNull()
})
