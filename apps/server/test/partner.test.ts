import { createHmac, randomBytes } from 'node:crypto'
import * as contract from '@console/contract'
import { generateKeyPair } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startOidcPartner, type OidcPartner } from './oidc-partner.ts'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

const publicUrl = 'http://127.0.0.1:39999'
const wflSecret = 'wfl-secret-0123456789'
let shiWai: OidcPartner
let pbs: OidcPartner
let szjx: OidcPartner
let server: TestServer
let school: TestSchool

beforeAll(async () => {
  const start = (name: string) => startOidcPartner(`${publicUrl}/?entrance=${name}`)
  ;[shiWai, pbs, szjx] = await Promise.all([start('shiWai'), start('pbs'), start('szjx')])
  const settings = (prefix: string, { issuer, clientId, clientSecret }: OidcPartner) => ({
    [`${prefix}_ISSUER`]: issuer,
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
  })
  server = await startTestServer({
    PUBLIC_URL: publicUrl,
    ...settings('SHIWAI', shiWai),
    ...settings('PBS', pbs),
    ...settings('SZJX', szjx),
    PBS_API_URL: pbs.issuer,
    SZJX_LOGOUT_URL: 'https://szjx.example/logout?app=console',
    WFL_SECRET: wflSecret,
    WFL_HOST: 'https://wfl.example',
  })
  school = await server.addSchool()
})
afterAll(async () => {
  await server.close()
  await Promise.all([shiWai.close(), pbs.close(), szjx.close()])
})
afterEach(() => {
  for (const partner of [shiWai, pbs, szjx]) partner.person = { sub: 'nobody', name: '无' }
})

const person = (sub: string, phone = school.teacher.phone) => ({
  sub,
  name: '合作教师',
  phone: `+86${phone}`,
  isPhoneVerified: true,
})

const begin = (partner: 'shiWai' | 'pbs' | 'szjx') =>
  server.client().call(contract.authPartnerBegin, { params: { partner } })

describe.each([
  ['shiWai', contract.authShiWaiLogin, () => shiWai],
  ['pbs', contract.authPbsLogin, () => pbs],
] as const)('%s', (name, endpoint, partner) => {
  async function codeOf(): Promise<{ code: string; state: string }> {
    const { url, state } = await begin(name)
    const back = await partner().visit(url)
    expect(back.searchParams.get('state')).toBe(state)
    return { code: back.searchParams.get('code') ?? '', state }
  }

  test(`SE-01 ${name}: an authorisation code signs in, and the first time the verified phone links the account`, async () => {
    partner().person = person(`${name}-1`)
    const user = await server.client().call(endpoint, { body: await codeOf() })
    expect(user).toMatchObject({ userId: school.teacher.id, partnerType: name })
    partner().person = { sub: `${name}-1`, name: '换了号码' }
    expect((await server.client().call(endpoint, { body: await codeOf() })).userId).toBe(school.teacher.id)
  })

  test(`${name}: an unknown account, an unverified phone, and a disabled one are each told`, async () => {
    partner().person = { sub: `${name}-unknown`, name: '生人' }
    expect((await refusal(server.client().call(endpoint, { body: await codeOf() }))).error).toBe(
      'auth.partnerAccountUnknown',
    )
    partner().person = { ...person(`${name}-unverified`), isPhoneVerified: false }
    expect((await refusal(server.client().call(endpoint, { body: await codeOf() }))).error).toBe(
      'auth.partnerAccountUnknown',
    )
    const other = await server.addSchool()
    const db = server.services.store.school(other.schoolId)
    await db.updateTable('userAccount').set({ state: 'disabled' }).where('id', '=', other.teacher.id).execute()
    partner().person = person(`${name}-disabled`, other.teacher.phone)
    expect((await refusal(server.client().call(endpoint, { body: await codeOf() }))).error).toBe('auth.accountDisabled')
  })

  test(`${name}: a code or a state is good once, and neither can be made up`, async () => {
    partner().person = person(`${name}-1`)
    const body = await codeOf()
    await server.client().call(endpoint, { body })
    expect((await refusal(server.client().call(endpoint, { body }))).error).toBe('auth.partnerReplayed')
    expect((await refusal(server.client().call(endpoint, { body: { code: body.code } }))).error).toBe(
      'auth.partnerRefused',
    )
    const { state } = await begin(name)
    expect((await refusal(server.client().call(endpoint, { body: { code: 'made-up', state } }))).error).toBe(
      'auth.partnerRefused',
    )
    const foreign = await begin(name === 'pbs' ? 'shiWai' : 'pbs')
    expect((await refusal(server.client().call(endpoint, { body: { code: 'x', state: foreign.state } }))).error).toBe(
      'auth.partnerReplayed',
    )
  })
})

describe('szjx', () => {
  async function back(): Promise<{ idToken: string; code: string; state: string; nonce: string }> {
    const { url, state } = await begin('szjx')
    const fragment = new URLSearchParams((await szjx.visit(url)).hash.slice(1))
    const text = (name: string) => fragment.get(name) ?? ''
    return { idToken: text('id_token'), code: text('code'), state, nonce: new URL(url).searchParams.get('nonce') ?? '' }
  }
  const login = ({ idToken, code, state }: { idToken: string; code?: string; state?: string }) =>
    server
      .client()
      .call(contract.authSzjxLogin, { body: { idToken, ...(code ? { code } : {}), ...(state ? { state } : {}) } })

  test('SE-01 szjx: an id token of the issuer signs in', async () => {
    szjx.person = { sub: 'szjx-1', name: '数智' }
    const db = server.services.store.school(school.schoolId)
    await db.insertInto('signInName').values({ kind: 'szjx', name: 'szjx-1', userId: school.teacher.id }).execute()
    expect(await login(await back())).toMatchObject({ userId: school.teacher.id, partnerType: 'szjx' })
  })

  test('SE-04 szjx: logout gives the signature, the refresh token and the address, and ends the session', async () => {
    szjx.person = { sub: 'szjx-1', name: '数智' }
    const given = await back()
    const { token } = await login(given)
    const client = server.client(token)
    const answer = await client.call(contract.authSzjxLogout, { body: { token } })
    expect(answer.logoutUrl).toBe('https://szjx.example/logout?app=console')
    expect(answer.idToken).toBe(given.idToken)
    expect(answer.refreshToken).toEqual(expect.any(String))
    expect(answer.signature).toBe(createHmac('sha256', szjx.clientSecret).update(given.idToken).digest('base64url'))
    expect((await refusal(client.call(contract.userCurrent))).code).toBe(401)
  })

  const claims = async () => {
    const { url } = await begin('szjx')
    const now = Math.floor(Date.now() / 1000)
    const nonce = new URL(url).searchParams.get('nonce') ?? ''
    return { iss: szjx.issuer, aud: szjx.clientId, sub: 'szjx-1', iat: now, exp: now + 300, nonce }
  }

  test('szjx: a token that says all the right things is taken, so each refusal below is for its one reason', async () => {
    expect((await login({ idToken: await szjx.sign(await claims()) })).userId).toBe(school.teacher.id)
  })

  test.each([
    ['another issuer', { iss: 'https://elsewhere.example' }],
    ['another audience', { aud: 'somebody-else' }],
    ['several audiences without saying whose', { aud: ['teaching-console', 'other'] }],
    ['an authorised party that is not us', { azp: 'other' }],
    ['an expiry that is over', { exp: Math.floor(Date.now() / 1000) - 120 }],
    [
      'a token from the future',
      { iat: Math.floor(Date.now() / 1000) + 3600, nbf: Math.floor(Date.now() / 1000) + 3600 },
    ],
    ['a token made long ago', { iat: Math.floor(Date.now() / 1000) - 7200 }],
    ['no subject', { sub: undefined }],
    ['no nonce', { nonce: undefined }],
    ['a nonce that we never gave out', { nonce: randomBytes(16).toString('hex') }],
  ])('szjx: %s is refused', async (_name, wrong) => {
    const idToken = await szjx.sign({ ...(await claims()), ...wrong } as never)
    expect((await refusal(login({ idToken }))).error).toBe('auth.partnerRefused')
  })

  test('szjx: a wrong signature, an unknown key and no algorithm at all are refused', async () => {
    const right = await claims()
    const { privateKey } = await generateKeyPair('RS256')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const unsigned = `${encode({ alg: 'none' })}.${encode(right)}.`
    const header = encode({ alg: 'HS256', kid: 'test-key' })
    const symmetric = `${header}.${encode(right)}.${createHmac('sha256', szjx.clientSecret)
      .update(`${header}.${encode(right)}`)
      .digest('base64url')}`
    const good = await szjx.sign(right)
    const bent = `${good.slice(0, -8)}${good.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
    const forged = await Promise.all([
      szjx.sign(right, { key: privateKey }),
      szjx.sign(right, { key: privateKey, kid: 'unknown' }),
    ])
    for (const idToken of [...forged, unsigned, symmetric, bent, 'x', 'a.b.c']) {
      expect((await refusal(login({ idToken }))).error).toBe('auth.partnerRefused')
    }
    expect((await login({ idToken: good })).userId).toBe(school.teacher.id)
  })

  test('szjx: a replayed nonce is refused, also when the two come at once', async () => {
    const idToken = await szjx.sign(await claims())
    const results = await Promise.allSettled([login({ idToken }), login({ idToken }), login({ idToken })])
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
    expect((await refusal(login({ idToken }))).error).toBe('auth.partnerReplayed')
  })

  test('szjx: a state that does not belong to the nonce is refused', async () => {
    const idToken = await szjx.sign(await claims())
    expect((await refusal(login({ idToken, state: 'another-state' }))).error).toBe('auth.partnerRefused')
  })
})

describe('wfl', () => {
  const signed = (account: string, time = Date.now(), nonce = randomBytes(12).toString('hex'), secret = wflSecret) => ({
    account,
    time,
    nonce,
    signature: createHmac('sha256', secret).update(`${account}\n${time}\n${nonce}`).digest('hex'),
  })
  const handOver = (body: ReturnType<typeof signed>) => server.client().call(contract.authWflLogin, { body })

  test('SE-02 wfl hands over a token; saved, it fetches the current user and lives on', async () => {
    const { token } = await handOver(signed(school.teacher.phone))
    const user = await server.client(token).call(contract.userCurrent)
    expect(user).toMatchObject({ userId: school.teacher.id, partnerType: 'wfl', token })
    const db = server.services.store.school(school.schoolId)
    const session = await db
      .selectFrom('userSession')
      .select('expiresAt')
      .where('partner', '=', 'wfl')
      .executeTakeFirstOrThrow()
    expect(session.expiresAt).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  })

  test('wfl: a wrong signature, an old one, a replayed one and an unknown account are refused', async () => {
    const { phone } = school.teacher
    expect((await refusal(handOver(signed(phone, Date.now(), 'n1', 'another-secret-0123456789')))).error).toBe(
      'auth.partnerRefused',
    )
    expect((await refusal(handOver(signed(phone, Date.now() - 3_600_000)))).error).toBe('auth.partnerRefused')
    const body = signed(phone)
    await handOver(body)
    expect((await refusal(handOver(body))).error).toBe('auth.partnerReplayed')
    expect((await refusal(handOver(signed('13500009999')))).error).toBe('auth.partnerAccountUnknown')
  })
})

describe('pbs calls', () => {
  test('AP-04 pbsPaperList and refreshPbsMessage ask pbs with the token of this login; over there over is 10401', async () => {
    pbs.person = person('pbs-papers')
    const { url, state } = await begin('pbs')
    const code = (await pbs.visit(url)).searchParams.get('code') ?? ''
    const { token } = await server.client().call(contract.authPbsLogin, { body: { code, state } })
    const client = server.client(token)
    const asked: string[] = []
    pbs.extra.set('/paperList', (authorization) => {
      asked.push(authorization)
      return {
        status: 200,
        body: {
          code: 0,
          data: [
            { id: 7, title: '期中试卷', url: 'https://pbs.example/7' },
            { id: 'b', title: '练习' },
          ],
        },
      }
    })
    expect(await client.call(contract.pbsPaperList)).toEqual([
      { id: '7', title: '期中试卷', url: 'https://pbs.example/7' },
      { id: 'b', title: '练习', url: null },
    ])
    expect(asked[0]).toMatch(/^Bearer \S+$/)
    pbs.person = { sub: 'pbs-papers', name: '新名字' }
    expect(await client.call(contract.pbsRefreshMessage)).toEqual({ name: '新名字', avatar: null })
    pbs.extra.set('/paperList', () => ({ status: 401, body: {} }))
    expect((await refusal(client.call(contract.pbsPaperList))).code).toBe(10_401)
    pbs.extra.set('/paperList', () => ({ status: 500, body: {} }))
    expect((await refusal(client.call(contract.pbsPaperList))).error).toBe('auth.partnerUnreachable')
    const plain = await server.signIn(school.teacher.phone)
    expect((await refusal(plain.client.call(contract.pbsPaperList))).code).toBe(10_401)
  })
})

test('an entrance that is not configured, or whose partner is away, says so', async () => {
  const bare = await startTestServer({
    PUBLIC_URL: publicUrl,
    SHIWAI_ISSUER: 'http://127.0.0.1:9',
    SHIWAI_CLIENT_ID: 'x',
    SHIWAI_CLIENT_SECRET: 'y',
  })
  try {
    const call = (partner: 'pbs' | 'shiWai') =>
      refusal(bare.client().call(contract.authPartnerBegin, { params: { partner } }))
    expect((await call('pbs')).error).toBe('auth.partnerNotConfigured')
    expect((await call('shiWai')).error).toBe('auth.partnerUnreachable')
    expect((await refusal(bare.client().call(contract.authShiWaiLogin, { body: { code: 'x' } }))).error).toBe(
      'auth.partnerUnreachable',
    )
    expect((await bare.client().call(contract.environment)).entrances).toEqual(['shiWai'])
  } finally {
    await bare.close()
  }
})
