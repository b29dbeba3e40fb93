import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal, startTestServer, type TestServer } from './server.ts'

type Sent = { phone: string; code: string; text: string; authorization: string | undefined }
let arrived = Promise.withResolvers<Sent>()
let status = 200
const gateway = createServer((request, response) => {
  void json(request).then((body) => {
    response.writeHead(status).end()
    arrived.resolve({ ...(body as Omit<Sent, 'authorization'>), authorization: request.headers.authorization })
  })
})
let server: TestServer
beforeAll(async () => {
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/send`
  server = await startTestServer({
    ENV_TYPE: 'production',
    SMS_GATEWAY: 'http',
    SMS_HTTP_URL: url,
    SMS_HTTP_TOKEN: 'gateway-token',
  })
})
afterAll(async () => {
  await server.close()
  gateway.close()
})

test('SE-01 the HTTP gateway gets number, code and text, and the code signs in; nothing shows it in production', async () => {
  const { teacher } = await server.addSchool()
  await server.client().call(contract.authSendSms, { params: { phone: teacher.phone } })
  const sent = await arrived.promise
  expect(sent).toMatchObject({ phone: teacher.phone, authorization: 'Bearer gateway-token' })
  expect(sent.text).toContain(sent.code)
  expect(await server.client().call(contract.authDebugSms)).toEqual([])
  const user = await server.client().call(contract.authSmsLogin, { body: { phone: teacher.phone, code: sent.code } })
  expect(user.userId).toBe(teacher.id)
})

test('a gateway that fails is told to everybody alike, known number or not', async () => {
  const { administrator } = await server.addSchool()
  status = 500
  arrived = Promise.withResolvers()
  await server.client().call(contract.authSendSms, { params: { phone: administrator.phone } })
  await arrived.promise
  const errors = async () =>
    Promise.all(
      ['13100000001', '13100000002'].map((phone) =>
        server
          .client()
          .call(contract.authSendSms, { params: { phone } })
          .then(
            () => 'sent',
            () => 'failed',
          ),
      ),
    )
  await expect.poll(errors).toEqual(['failed', 'failed'])
  expect(await refusal(server.client().call(contract.authSendSms, { params: { phone: '13100000003' } }))).toMatchObject(
    { code: 503, error: 'auth.smsFailed' },
  )
})

test('in production the log gateway sends nothing and says so', async () => {
  const bare = await startTestServer({ ENV_TYPE: 'production' })
  try {
    expect((await bare.client().call(contract.environment)).smsLogin).toBe(false)
    expect((await refusal(bare.client().call(contract.authSendSms, { params: { phone: '13100000004' } }))).error).toBe(
      'auth.smsFailed',
    )
  } finally {
    await bare.close()
  }
})
