import { authDebugSms, authSendSms, createClient, userAdd } from '@console/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts, demoPassword, startConsole, type Console } from './console.ts'
import { cookie, openAsTeacher, openUserMenu, signIn, stored } from './people.ts'

let console: Console
beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console.close())

const home = /#\/home/

/** An account of its own for tests that change or exhaust one. */
async function addAccount(phone: string): Promise<string> {
  const admin = createClient({ baseUrl: () => console.url, token: () => null, locale: () => 'zh-CN' })
  const { authLogin } = await import('@console/contract')
  const { token } = await admin.call(authLogin, { body: { phone: demoAccounts.administrator, password: demoPassword } })
  const client = createClient({ baseUrl: () => console.url, token: () => token, locale: () => 'zh-CN' })
  await client.call(userAdd, { body: { name: '测试教师', phone, password: demoPassword } })
  return phone
}

describe('signing in', () => {
  test('SE-01 phone and password: token in a cookie for a day and in local storage, the id in uuid, the profile on the page', async () => {
    const page = await openAsTeacher(console)
    await page.waitForURL(home)
    await page.getByText('李明远').first().waitFor()
    await page.getByText('七年级（1）班').waitFor()
    const token = await stored(page, 'token')
    expect(token).toMatch(/^[\w-]{64}$/)
    expect(await cookie(page, 'token')).toBe(token)
    expect(await cookie(page, 'uuid')).toMatch(/^[0-9a-f-]{36}$/)
    const { expires } = (await page.context().cookies()).find((item) => item.name === 'token') ?? { expires: 0 }
    expect(Math.abs(expires - Date.now() / 1000 - 86_400)).toBeLessThan(120)
    await page.reload()
    await page.getByText('七年级（1）班').waitFor()
  })

  test('SE-01 SMS: the code of the debug page signs in', async () => {
    const page = await console.open('/#/login')
    await page.getByRole('tab', { name: '短信登录' }).click()
    await page.getByRole('textbox', { name: '手机号' }).fill(demoAccounts.administrator)
    await page.getByRole('button', { name: '获取验证码' }).click()
    const debug = await console.open('/#/__debug')
    const row = debug.getByText(demoAccounts.administrator)
    await row.waitFor()
    const client = createClient({ baseUrl: () => console.url, token: () => null, locale: () => 'zh-CN' })
    const [sent] = await client.call(authDebugSms)
    await debug.getByText(sent?.code ?? 'no code').waitFor()
    await page.getByRole('textbox', { name: '验证码' }).fill(sent?.code ?? '')
    await page.keyboard.press('Enter')
    await page.waitForURL(home)
    await page.getByText('王雅琴').first().waitFor()
  })

  test('SE-06 the SMS button counts down 60 s, also over a reload; the number is checked first', async () => {
    const phone = await addAccount('13700000061')
    const page = await console.open('/#/login')
    await page.getByRole('tab', { name: '短信登录' }).click()
    const phoneField = page.getByRole('textbox', { name: '手机号' })
    await phoneField.fill('12345')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('手机号格式不正确，应为 1 开头的 11 位数字').waitFor()
    await phoneField.fill(phone)
    await page.getByRole('button', { name: '获取验证码' }).click()
    const counting = page.getByRole('button', { name: /^(60|5\d) 秒后重发$/ })
    await counting.waitFor()
    expect(await counting.isDisabled()).toBe(true)
    await page.reload()
    await page.getByRole('tab', { name: '短信登录' }).click()
    await page.getByRole('textbox', { name: '手机号' }).fill(phone)
    await page.getByRole('button', { name: /^[1-5]?\d 秒后重发$/ }).waitFor()
  })

  test('SE-06 required and format messages stand at their fields, in both languages, and follow a change of language', async () => {
    const page = await console.open('/#/login')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByText('请输入手机号', { exact: true }).waitFor()
    await page
      .getByRole('alert')
      .getByText('请输入密码')
      .or(page.getByText('请输入密码', { exact: true }))
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: '手机号' }).fill('23800000000')
    await page.keyboard.press('Tab')
    await page.getByText('手机号格式不正确，应为 1 开头的 11 位数字').waitFor()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText(/1 followed by 10 digits/).waitFor()
    expect(await page.getByRole('textbox', { name: 'Mobile number' }).inputValue()).toBe('23800000000')
    await page.getByRole('button', { name: '简体中文' }).click()
    await page.getByText('手机号格式不正确，应为 1 开头的 11 位数字').waitFor()
  })

  test('a wrong password says so at the form, keeps what was typed, and after three the check runs by itself', async () => {
    const phone = await addAccount('13700000062')
    const page = await console.open('/#/login')
    for (let n = 0; n < 5; n += 1) {
      await signIn(page, phone, `wrong-pass-${n}`)
      await page.getByText('手机号或密码不正确').waitFor()
      await page.getByRole('button', { name: '登录', exact: true }).waitFor()
    }
    expect(await page.getByRole('textbox', { name: '手机号' }).inputValue()).toBe(phone)
    await signIn(page, phone)
    await page.waitForURL(home)
  })

  test('too many attempts: the wait counts down on the page', async () => {
    const phone = '13700000063'
    const page = await console.open('/#/login')
    const { store } = console.services
    const { systemSchool } = await import('../../apps/server/src/db/schema.ts')
    const attempt = { key: `account:${phone}`, failures: 11, firstAt: Date.now(), blockedUntil: Date.now() + 50_000 }
    await store.school(systemSchool).insertInto('attempt').values(attempt).execute()
    await signIn(page, phone, 'whatever-1')
    await page.getByText(/尝试次数过多，请在 4\d 秒后再试/).waitFor()
    await page.getByText(/尝试次数过多，请在 4[0-7] 秒后再试/).waitFor()
  })

  test('the demo accounts are filled in by one click', async () => {
    const page = await console.open('/#/login')
    await page.getByRole('button', { name: /教师/ }).click()
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForURL(home)
  })

  test('the whole form works by keyboard', async () => {
    const page = await console.open('/#/login')
    await page.getByRole('textbox', { name: '手机号' }).waitFor()
    await page.keyboard.type(demoAccounts.teacher)
    await page.keyboard.press('Tab')
    await page.keyboard.type(demoPassword)
    await page.keyboard.press('Enter')
    await page.waitForURL(home)
  })
})

describe('where signing in leads', () => {
  test('a page that needs auth asks first and is reached afterwards, with its query', async () => {
    const page = await console.open('/#/register/result?from=test')
    await page.waitForURL(/#\/login\?redirect=/)
    expect(decodeURIComponent(page.url())).toContain('redirect=/register/result?from=test')
    await signIn(page, demoAccounts.teacher)
    await page.waitForURL(/#\/register\/result\?from=test/)
    await page.getByText('您的账号已开通').waitFor()
  })

  test.each(['https://evil.example/x', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'a redirect to %s is ignored',
    async (target) => {
      const page = await console.open(`/#/login?redirect=${encodeURIComponent(target)}`)
      await signIn(page, demoAccounts.teacher)
      await page.waitForURL(home)
      expect(new URL(page.url()).origin).toBe(console.url)
    },
  )
})

describe('signing out', () => {
  test('SE-03 asks first, then removes token, uuid and reload marker and goes to login; the server knows the token no more', async () => {
    const page = await openAsTeacher(console)
    await page.waitForURL(home)
    await page.evaluate(() => localStorage.setItem('reload-marker', 'x'))
    const token = await stored(page, 'token')
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    const dialog = page.getByRole('dialog', { name: '退出登录确认' })
    await dialog.getByText('您确定要退出当前账号吗？打开的标签页和个人设置将会保存。').waitFor()
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await dialog.getByRole('button', { name: '退出登录' }).click()
    await page.waitForURL(/#\/login$/)
    expect([
      await stored(page, 'token'),
      await stored(page, 'reload-marker'),
      await cookie(page, 'token'),
      await cookie(page, 'uuid'),
    ]).toEqual([null, null, null, null])
    const answer = await fetch(`${console.url}/api/user/currentUser`, { headers: { authorization: token ?? '' } })
    expect(answer.status).toBe(401)
    await page.goto(`${console.url}/#/home`)
    await page.waitForURL(/#\/login\?redirect=/)
  })

  test('SE-03 in English it says what the specification says', async () => {
    const page = await openAsTeacher(console, { locale: 'en-US' })
    await page.waitForURL(home)
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: /log ?out/i }).click()
    const dialog = page.getByRole('dialog', { name: 'Logout confirmation' })
    await dialog
      .getByText(
        'Are you sure you are logged out of your current account? Open tabs and personal settings will be saved.',
      )
      .waitFor()
  })

  test('SE-03 with the setting off it does not ask', async () => {
    const page = await openAsTeacher(console)
    await page.waitForURL(home)
    const uuid = await cookie(page, 'uuid')
    const key =
      (await page.evaluate(() => Object.keys(localStorage))).find((name) => name.startsWith('settings')) ??
      `settings:${uuid}`
    await page.evaluate((name) => localStorage.setItem(name, JSON.stringify({ logoutConfirmation: false })), key)
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.waitForURL(/#\/login$/)
  })

  test('signing out in one tab of the browser signs the others out', async () => {
    const page = await openAsTeacher(console)
    await page.waitForURL(home)
    const second = await page.context().newPage()
    await second.goto(`${console.url}/#/home`)
    await second.getByText('任教班级').waitFor()
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '退出登录' }).click()
    await second.waitForURL(/#\/login/)
  })
})

describe('the password', () => {
  test('SE-07 changed from the header; the other device is told at once and must sign in again', async () => {
    const phone = await addAccount('13700000071')
    const page = await console.open('/#/login')
    await signIn(page, phone)
    await page.waitForURL(home)
    const other = await console.open('/#/login')
    await signIn(other, phone)
    await other.waitForURL(home)
    await openUserMenu(page)
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    const fill = async (old: string, fresh: string, again = fresh) => {
      await dialog.getByLabel('当前密码', { exact: true }).fill(old)
      await dialog.getByLabel('新密码', { exact: true }).fill(fresh)
      await dialog.getByLabel('再次输入新密码').fill(again)
      await dialog.getByRole('button', { name: '修改密码' }).click()
    }
    await fill(demoPassword, 'short')
    await dialog.getByText('密码至少 8 位，并且同时包含字母和数字').waitFor()
    await fill(demoPassword, 'Longer-pass-9', 'Different-pass-9')
    await dialog.getByText('两次输入的新密码不一致').waitFor()
    await fill('Wrong-old-1', 'Longer-pass-9')
    await dialog.getByText('原密码不正确').waitFor()
    await fill(demoPassword, 'Longer-pass-9')
    await page.getByText('密码已修改，其他设备已退出登录').waitFor()
    await other.waitForURL(/#\/login/)
    await other.getByText('密码已修改，请用新密码重新登录').waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '任教班级' }).waitFor()
    await signIn(other, phone, 'Longer-pass-9')
    await other.waitForURL(home)
  })
})

describe('public pages', () => {
  test('SE-08 register says who opens accounts and how, in both languages', async () => {
    const page = await console.open('/#/login')
    await page.getByRole('link', { name: '开通账号' }).click()
    await page.waitForURL(/#\/register$/)
    await page.getByRole('heading', { name: '账号由学校管理员开通' }).waitFor()
    expect(await page.getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
    const english = await console.open('/#/register', { locale: 'en-US' })
    await english.getByRole('heading', { name: 'Your school administrator opens accounts' }).waitFor()
  })

  test.each([
    'login',
    'shiWaiLogin',
    'wflLogin',
    'pbsLogin',
    'szjxLogin',
    'register',
    'errorPrint/v3',
    'errorPrint/v3/topic',
    'pdf/mp/composition',
  ])('RT-19 #/%s opens with no token', async (path) => {
    const page = await console.open(`/#/${path}`)
    await page.locator('h1, h2').first().waitFor()
    expect(new URL(page.url()).hash.split('?')[0]).toBe(`#/${path}`)
    expect(await page.title()).not.toBe('')
  })

  test('RT-19 #/register/result needs a token', async () => {
    const page = await console.open('/#/register/result')
    await page.waitForURL(/#\/login\?redirect=/)
  })
})

test('a token that ended elsewhere leads to login once, and what happened is said', async () => {
  const page = await openAsTeacher(console)
  await page.waitForURL(home)
  const token = (await stored(page, 'token')) ?? ''
  const logins: string[] = []
  page.on('framenavigated', (frame) => frame.url().includes('#/login') && logins.push(frame.url()))
  await fetch(`${console.url}/api/auth/logout`, { method: 'POST', headers: { authorization: token } })
  await page.waitForURL(/#\/login/)
  await page.getByText('此设备已被退出登录，请重新登录').waitFor()
  expect(logins).toHaveLength(1)
  expect(await stored(page, 'token')).toBeNull()
})

test('a message that was never asked for cannot be sent twice a minute', async () => {
  const client = createClient({ baseUrl: () => console.url, token: () => null, locale: () => 'en-US' })
  const params = { phone: '13700000099' }
  await client.call(authSendSms, { params })
  await expect(client.call(authSendSms, { params })).rejects.toMatchObject({ details: { error: 'auth.smsTooSoon' } })
})
