import { createHash } from 'node:crypto'
import * as contract from '@console/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { systemSchool } from '../src/db/schema.ts'
import { refusal, startTestServer, testPassword, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
})
afterAll(() => server.close())

async function solve(): Promise<string> {
  const { challenge, bits } = await server.client().call(contract.authTicket)
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256').update(`${challenge}.${n}`).digest()
    if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return `${challenge}.${n}`
  }
}

describe('password', () => {
  test('SE-01 a phone and a password give a session with the profile of EN-01', async () => {
    const body = { phone: school.teacher.phone, password: testPassword }
    const user = await server.client().call(contract.authLogin, { body })
    expect(user).toMatchObject({
      userId: school.teacher.id,
      name: '教师',
      isAdmin: false,
      access: [],
      partnerType: null,
    })
    expect(user.features).toEqual([1, 2, 4, 6].map((featureId) => ({ featureId, isActivity: 1 })))
    expect(user.userSubjects).toEqual([{ id: school.subjectId, name: '数学' }])
    expect(Buffer.from(user.token, 'base64url').length).toBeGreaterThanOrEqual(32)
    const again = await server.client(user.token).call(contract.userCurrent)
    expect(again).toEqual(user)
  })

  test('PM-02 isAdmin feeds the access list', async () => {
    const { client } = await server.signIn(school.administrator.phone)
    const user = await client.call(contract.userCurrent)
    expect(user.isAdmin).toBe(true)
    expect(user.access).toContain('1')
  })

  test('a bare token and one with Bearer before it are both taken; anything else is 401', async () => {
    const { token } = await server.signIn(school.teacher.phone)
    const statusOf = async (authorization?: string) =>
      (await fetch(`${server.url}/api/user/currentUser`, { headers: authorization ? { authorization } : {} })).status
    expect(await statusOf(token)).toBe(200)
    expect(await statusOf(`Bearer ${token}`)).toBe(200)
    expect(await statusOf(`bearer  ${token}`)).toBe(200)
    for (const wrong of [undefined, 'x', `${token}x`, token.slice(1), 'Basic abc', 'Bearer', 'A'.repeat(64)]) {
      expect(await statusOf(wrong), String(wrong)).toBe(401)
    }
  })

  test('only a hash of the token is stored', async () => {
    const { token } = await server.signIn(school.teacher.phone)
    const rows = await server.services.store.school(school.schoolId).selectFrom('userSession').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(rows.some((row) => row.tokenHash === createHash('sha256').update(token).digest('base64url'))).toBe(true)
  })

  test('a wrong password and an unknown phone are refused in the same words, in both languages', async () => {
    const phones = [school.administrator.phone, '13700000009']
    const answers = await Promise.all(
      phones.map((phone) =>
        refusal(server.client().call(contract.authLogin, { body: { phone, password: 'nope-nope-1' } })),
      ),
    )
    expect(answers.map((answer) => [answer.status, answer.error, answer.msg])).toEqual([
      [400, 'auth.wrongPassword', '手机号或密码不正确'],
      [400, 'auth.wrongPassword', '手机号或密码不正确'],
    ])
    const english = server.client(null, { locale: () => 'en-US' })
    const answer = await refusal(
      english.call(contract.authLogin, { body: { phone: phones[0] ?? '', password: 'nope-nope-1' } }),
    )
    expect(answer.msg).toBe('The phone number or the password is not right')
  })

  test('SE-06 a phone that is not 1 and ten digits is refused at its field', async () => {
    const answer = await refusal(server.client().call(contract.authLogin, { body: { phone: '12345', password: 'x' } }))
    expect(answer).toMatchObject({
      code: 400,
      error: 'request.invalid',
      fields: [{ path: 'phone', error: 'field.phone' }],
    })
    const missing = await refusal(
      server.client().call(contract.authLogin, { body: { phone: school.teacher.phone } as never }),
    )
    expect(missing.fields).toMatchObject([{ path: 'password', error: 'field.required' }])
  })
})

describe('attempts', () => {
  // All of these come from one address, which would be asked for tickets too.
  afterEach(async () => {
    await server.services.store.school(systemSchool).deleteFrom('attempt').execute()
  })

  test('after some failures a ticket is asked for, each ticket is good once, and at last one waits', async () => {
    const phone = '13611110001'
    const tryOnce = (ticket?: string) =>
      refusal(
        server
          .client()
          .call(contract.authLogin, { body: { phone, password: 'wrong-1x', ...(ticket ? { ticket } : {}) } }),
      )
    for (let n = 0; n < 3; n += 1) expect((await tryOnce()).error).toBe('auth.wrongPassword')
    expect((await tryOnce()).error).toBe('auth.ticketNeeded')
    const ticket = await solve()
    expect((await tryOnce(ticket)).error).toBe('auth.wrongPassword')
    expect((await tryOnce(ticket)).error).toBe('auth.ticketInvalid')
    expect((await tryOnce('a.b.c.d')).error).toBe('auth.ticketInvalid')
    let last = await tryOnce()
    for (let n = 0; n < 10 && last.error !== 'auth.blocked'; n += 1) last = await tryOnce()
    expect(last).toMatchObject({ code: 429, error: 'auth.blocked' })
    expect(last.wait).toBeGreaterThan(0)
    expect(last.msg).toMatch(/秒|分钟/)
  })

  test('a hundred tries at once are counted as a hundred', async () => {
    const phone = '13611110002'
    const tries = Array.from({ length: 40 }, () =>
      refusal(server.client().call(contract.authLogin, { body: { phone, password: 'wrong-1x' } })),
    )
    const errors = (await Promise.all(tries)).map((answer) => answer.error)
    expect(errors.filter((error) => error === 'auth.wrongPassword').length).toBeLessThanOrEqual(3)
    expect(errors.filter((error) => error === 'auth.blocked').length).toBeGreaterThanOrEqual(30)
  })

  test('a right password forgets the failures of the account, and a morning of logins is no failure of the address', async () => {
    for (let n = 0; n < 40; n += 1) await server.signIn(school.teacher.phone)
    const body = { phone: school.teacher.phone, password: 'wrong-1x' }
    for (let n = 0; n < 6; n += 1) {
      await refusal(server.client().call(contract.authLogin, { body }))
      await server.signIn(school.teacher.phone)
    }
  })
})

describe('text messages', () => {
  const sent = async (phone: string) =>
    (await server.client().call(contract.authDebugSms)).find((item) => item.phone === phone)

  test('SE-01 a code signs in once, and the same answer goes to an unknown number', async () => {
    const { phone } = school.teacher
    const known = await server.client().call(contract.authSendSms, { params: { phone } })
    const unknown = await server.client().call(contract.authSendSms, { params: { phone: '13522220001' } })
    expect(known).toEqual(unknown)
    expect(known.wait).toBe(60_000)
    expect(await sent('13522220001')).toBeUndefined()
    const code = (await sent(phone))?.code ?? ''
    expect(code).toMatch(/^\d{6}$/)
    const wrong = await refusal(
      server.client().call(contract.authSmsLogin, { body: { phone, code: code === '000000' ? '000001' : '000000' } }),
    )
    expect(wrong.error).toBe('auth.wrongCode')
    const user = await server.client().call(contract.authSmsLogin, { body: { username: phone, code } })
    expect(user.userId).toBe(school.teacher.id)
    expect((await refusal(server.client().call(contract.authSmsLogin, { body: { phone, code } }))).error).toBe(
      'auth.wrongCode',
    )
  })

  test('SE-06 a second message within 60 s is refused with the wait', async () => {
    const phone = school.administrator.phone
    await server.client().call(contract.authSendSms, { params: { phone } })
    const answer = await refusal(server.client().call(contract.authSendSms, { params: { phone } }))
    expect(answer).toMatchObject({ code: 429, error: 'auth.smsTooSoon' })
    expect(answer.wait).toBeLessThanOrEqual(60_000)
  })

  test('a code cannot be guessed: five tries and it waits', async () => {
    const other = await server.addSchool()
    const { phone } = other.teacher
    await server.client().call(contract.authSendSms, { params: { phone } })
    const right = (await sent(phone))?.code ?? ''
    const guesses = Array.from({ length: 5 }, (_, n) => String((Number(right) + n + 1) % 1_000_000).padStart(6, '0'))
    for (const code of guesses) await refusal(server.client().call(contract.authSmsLogin, { body: { phone, code } }))
    expect((await refusal(server.client().call(contract.authSmsLogin, { body: { phone, code: right } }))).error).toBe(
      'auth.blocked',
    )
  })
})

describe('sessions', () => {
  test('SE-03 logging out ends this session and no other', async () => {
    const [first, second] = await Promise.all([
      server.signIn(school.teacher.phone),
      server.signIn(school.teacher.phone),
    ])
    await first.client.call(contract.authLogout)
    expect((await refusal(first.client.call(contract.userCurrent))).code).toBe(401)
    await second.client.call(contract.userCurrent)
  })

  test('SE-07 a changed password ends every other session of the user, and is written in the audit', async () => {
    const other = await server.addSchool()
    const [mine, theirs] = await Promise.all([server.signIn(other.teacher.phone), server.signIn(other.teacher.phone)])
    const change = (oldPassword: string, newPassword: string) =>
      mine.client.call(contract.authResetPassword, { body: { oldPassword, newPassword } })
    expect((await refusal(change('wrong-1x', 'Another-pass-8'))).fields).toMatchObject([
      { path: 'oldPassword', error: 'auth.oldPasswordWrong' },
    ])
    expect((await refusal(change(testPassword, 'short'))).fields).toMatchObject([
      { path: 'newPassword', error: 'auth.passwordTooWeak' },
    ])
    expect((await refusal(change(testPassword, testPassword))).fields).toMatchObject([
      { path: 'newPassword', error: 'auth.passwordSame' },
    ])
    await change(testPassword, 'Another-pass-8')
    await mine.client.call(contract.userCurrent)
    expect((await refusal(theirs.client.call(contract.userCurrent))).code).toBe(401)
    const body = { phone: other.teacher.phone, password: 'Another-pass-8' }
    expect((await server.client().call(contract.authLogin, { body })).userId).toBe(other.teacher.id)
    const audit = await server.services.store.school(other.schoolId).selectFrom('audit').select('action').execute()
    expect(audit.map((row) => row.action)).toContain('user.password')
  })

  test('devices are listed, one can be signed out, and nobody else’s can', async () => {
    const other = await server.addSchool()
    const [mine, phone, stranger] = await Promise.all([
      server.signIn(other.teacher.phone),
      server.signIn(other.teacher.phone),
      server.signIn(other.administrator.phone),
    ])
    const devices = await mine.client.call(contract.authSessions)
    expect(devices).toHaveLength(2)
    expect(devices.filter((device) => device.isCurrent)).toHaveLength(1)
    const id = devices.find((device) => !device.isCurrent)?.id ?? ''
    expect((await refusal(stranger.client.call(contract.authSessionEnd, { params: { id } }))).code).toBe(404)
    await phone.client.call(contract.userCurrent)
    await mine.client.call(contract.authSessionEnd, { params: { id } })
    expect((await refusal(phone.client.call(contract.userCurrent))).code).toBe(401)
  })

  test('a session ends one day after its last use, and use moves the end', async () => {
    const { client, token } = await server.signIn(school.teacher.phone)
    const db = server.services.store.school(school.schoolId)
    const tokenHash = createHash('sha256').update(token).digest('base64url')
    const now = Date.now()
    await db
      .updateTable('userSession')
      .set({ seenAt: now - 3_600_000, expiresAt: now + 1000 })
      .where('tokenHash', '=', tokenHash)
      .execute()
    await client.call(contract.userCurrent)
    const row = await db
      .selectFrom('userSession')
      .select('expiresAt')
      .where('tokenHash', '=', tokenHash)
      .executeTakeFirstOrThrow()
    expect(row.expiresAt).toBeGreaterThan(now + 23 * 3_600_000)
    await db
      .updateTable('userSession')
      .set({ expiresAt: now - 1 })
      .where('tokenHash', '=', tokenHash)
      .execute()
    expect((await refusal(client.call(contract.userCurrent))).code).toBe(401)
  })

  test('a disabled account loses its sessions at once and hears why only with the right password', async () => {
    const other = await server.addSchool()
    const [admin, teacher] = await Promise.all([
      server.signIn(other.administrator.phone),
      server.signIn(other.teacher.phone),
    ])
    await admin.client.call(contract.userUpdate, { body: { id: other.teacher.id, state: 'disabled' } })
    expect((await refusal(teacher.client.call(contract.userCurrent))).code).toBe(401)
    const login = (password: string) =>
      refusal(server.client().call(contract.authLogin, { body: { phone: other.teacher.phone, password } }))
    expect((await login('wrong-1x')).error).toBe('auth.wrongPassword')
    expect((await login(testPassword)).error).toBe('auth.accountDisabled')
  })
})
