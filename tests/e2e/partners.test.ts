import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOidcPartner, type OidcPartner } from '../../apps/server/test/oidc-partner.ts'
import { demoAccounts, startConsole, type Console } from './console.ts'
import { openUserMenu, stored } from './people.ts'

const wflSecret = 'wfl-secret-0123456789'
const home = /#\/home/
const partners = new Map<string, OidcPartner>()
type WflCall = { path: string; type: string; authorization: string; body: string }
const wflCalls: WflCall[] = []
let wflAsked: Promise<WflCall>
let console: Console
let closeWfl: () => void

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function answerWfl(
  request: IncomingMessage,
  response: ServerResponse,
  told: (call: WflCall) => void,
): Promise<void> {
  const allow = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'authorization',
    'access-control-allow-methods': 'POST',
  }
  if (request.method === 'OPTIONS') {
    response.writeHead(204, allow).end()
    return
  }
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { 'content-type': type = '', authorization = '' } = request.headers
  const call = { path: request.url ?? '', type, authorization, body }
  wflCalls.push(call)
  response.writeHead(200, { ...allow, 'content-type': 'application/json' }).end('{"code":0}')
  told(call)
}

/** The partner's own server, as the browser meets it: another origin, which allows ours. */
async function startWfl(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<WflCall>()
  wflAsked = promise
  const server = createServer((request, response) => void answerWfl(request, response, resolve))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  closeWfl = () => {
    server.closeAllConnections()
    server.close()
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const env: Record<string, string> = {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    WFL_SECRET: wflSecret,
    WFL_HOST: await startWfl(),
  }
  for (const [name, prefix] of [
    ['shiWai', 'SHIWAI'],
    ['pbs', 'PBS'],
    ['szjx', 'SZJX'],
  ] as const) {
    const partner = await startOidcPartner(`${publicUrl}/?entrance=${name}`)
    partners.set(name, partner)
    env[`${prefix}_ISSUER`] = partner.issuer
    env[`${prefix}_CLIENT_ID`] = partner.clientId
    env[`${prefix}_CLIENT_SECRET`] = partner.clientSecret
    partner.person = { sub: `${name}-teacher`, name: '李明远', phone: demoAccounts.teacher, isPhoneVerified: true }
  }
  env['SZJX_LOGOUT_URL'] = `${partners.get('szjx')?.issuer}/logout-of-the-platform?app=console`
  partners.get('szjx')?.extra.set('/logout-of-the-platform', () => ({ status: 200, body: { left: true } }))
  console = await startConsole(env)
})
afterAll(async () => {
  await console.close()
  for (const partner of partners.values()) await partner.close()
  closeWfl()
})

test.each(['shiWai', 'pbs', 'szjx'])(
  'SE-01 %s: from its entrance to the partner and back into the console',
  async (name) => {
    const page = await console.open(`/#/${name}Login`)
    await page.waitForURL(home)
    await page.getByText('李明远').first().waitFor()
    expect(await stored(page, 'token')).toMatch(/^[\w-]{64}$/)
    expect(page.url()).not.toMatch(/code=|id_token|state=/)
  },
)

test('the login page lists the entrances that are configured, and they work by a click', async () => {
  const page = await console.open('/#/login')
  await page.getByRole('link', { name: /shiWai/ }).click()
  await page.waitForURL(home)
})

test('an account that is not linked is told, with a way back', async () => {
  const partner = partners.get('shiWai')
  if (!partner) throw new Error('no partner')
  const { person } = partner
  partner.person = { sub: 'a-stranger', name: '生人' }
  try {
    const page = await console.open('/#/shiWaiLogin')
    await page.getByText('合作平台账号尚未与本校账号关联，请联系学校管理员').waitFor()
    await page.getByRole('link', { name: '返回登录' }).click()
    await page.waitForURL(/#\/login/)
  } finally {
    partner.person = person
  }
})

test('a state that this browser never sent is refused', async () => {
  const page = await console.open('/#/login')
  await page.evaluate(() => sessionStorage.clear())
  await page.goto(`${console.url}/?entrance=shiWai&code=stolen&state=not-mine`)
  await page
    .getByText(/请重新登录|重新登录/)
    .first()
    .waitFor()
  expect(await stored(page, 'token')).toBeNull()
})

test('an error that the partner returns is shown and does not loop', async () => {
  const page = await console.open('/?entrance=pbs&error=access_denied&state=x')
  await page.getByText(/授权被取消或拒绝/).waitFor()
  expect(page.url()).toContain('#/pbsLogin')
})

test('SE-04 szjx: logging out goes to the partner’s address with the identity token and the signature', async () => {
  const szjx = partners.get('szjx')
  const page = await console.open('/#/szjxLogin')
  await page.waitForURL(home)
  await openUserMenu(page)
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
  await page.waitForURL(/logout-of-the-platform/)
  const left = new URL(page.url())
  const idToken = left.searchParams.get('id_token_hint') ?? ''
  expect(left.searchParams.get('app')).toBe('console')
  expect(idToken.split('.')).toHaveLength(3)
  expect(left.searchParams.get('signature')).toBe(
    createHmac('sha256', szjx?.clientSecret ?? '')
      .update(idToken)
      .digest('base64url'),
  )
  await page.goto(`${console.url}/#/home`)
  await page.waitForURL(/#\/login/)
})

async function handedOver(): Promise<string> {
  const account = demoAccounts.teacher
  const time = Date.now()
  const nonce = randomBytes(8).toString('hex')
  const signature = createHmac('sha256', wflSecret).update(`${account}\n${time}\n${nonce}`).digest('hex')
  const answer = await fetch(`${console.url}/api/auth/wflLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account, time, nonce, signature }),
  })
  return ((await answer.json()) as { data: { token: string } }).data.token
}

test('SE-02 a token handed over signs in and leaves the address at once; SE-05 the partner’s teacher message is refreshed', async () => {
  const token = await handedOver()
  const page = await console.open(`/#/wflLogin?token=${token}`)
  await page.waitForURL(home)
  expect(await stored(page, 'token')).toBe(token)
  expect(page.url()).not.toContain(token)
  const call = await wflAsked
  expect(call).toMatchObject({ path: '/api/wfl/refreshTeacherMsg', authorization: token })
  expect(call.type).toContain('multipart/form-data')
  expect(call.body).not.toContain('name=')
})

test('SE-05 without the local flag nothing is sent', async () => {
  const before = wflCalls.length
  const page = await console.open('/#/login')
  await page.goto(`${console.url}/#/login?token=${await handedOver()}`)
  await page.waitForURL(home)
  expect(await stored(page, 'wflLogin')).toBeNull()
  expect(wflCalls).toHaveLength(before)
})

test('SE-02 a token that is none is refused with an explanation, and nothing is kept', async () => {
  const page = await console.open(`/#/wflLogin?token=${'A'.repeat(64)}`)
  await page.getByText('登录凭证无效或已过期').waitFor()
  expect(await stored(page, 'token')).toBeNull()
})
