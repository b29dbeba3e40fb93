import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts, startConsole, type Console, type View } from './console.ts'
import { cookie, openAsTeacher, signIn, stored } from './people.ts'

let console: Console
beforeAll(async () => {
  console = await startConsole()
})
afterAll(() => console.close())

const classes = '**/api/user/userClassGroupBySAG*'
const refresh = '**/api/pbs/refreshPbsMessage'
const papers = '**/api/pbs/pbsPaperList'
const home = /#\/home/

const envelope = (code: number, msg: string) => (route: Route) =>
  route.fulfill({
    status: 200,
    contentType: 'application/json',
    body: JSON.stringify({ code, data: null, msg, requestId: 'req-42' }),
  })

/** What the page shows when the call for the own classes is answered so. */
async function openWith(answer: (route: Route) => Promise<void>, view: View = {}): Promise<Page> {
  const page = await console.open('/#/login', view)
  await page.route(classes, answer)
  await signIn(page, demoAccounts.teacher)
  await page.waitForURL(home)
  return page
}

/** Whoever came in through pbs has its panel; here only the profile says so. */
async function openAtPbs(answers: Record<string, (route: Route) => Promise<void>>): Promise<Page> {
  const page = await console.open('/#/login')
  await page.route('**/api/auth/login', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, partnerType: 'pbs' } } })
  })
  for (const [pattern, answer] of Object.entries(answers)) await page.route(pattern, answer)
  await signIn(page, demoAccounts.teacher)
  await page.waitForURL(home)
  return page
}

const ok = (data: unknown) => (route: Route) => route.fulfill({ json: { code: 0, data, msg: '' } })

describe('AP-03 the texts of an HTTP status without an envelope', () => {
  const texts = [
    [400, '请求错误', 'request error'],
    [403, '拒绝访问', 'access denied'],
    [404, '请求地址出错：', 'request address error: '],
    [408, '请求超时', 'request timeout'],
    [500, '服务器内部错误', 'server internal error'],
    [501, '服务未实现', 'service not implemented'],
    [502, '网关错误', 'gateway error'],
    [503, '服务不可用', 'service unavailable'],
    [504, '网关超时', 'gateway timeout'],
    [505, 'HTTP 版本不受支持', 'HTTP version not supported'],
  ] as const

  test('AP-03 each status, in both languages, where the call failed, with a retry that works', async () => {
    for (const view of [{ locale: 'zh-CN' }, { locale: 'en-US' }] as const) {
      let status = 200
      const page = await openWith(
        (route) =>
          status === 200 ? route.continue() : route.fulfill({ status, body: '<h1/>', contentType: 'text/html' }),
        view,
      )
      await page.getByText('七年级（1）班').waitFor()
      for (const [code, chinese, english] of texts) {
        status = code
        await page.reload()
        const text = view.locale === 'zh-CN' ? chinese : english
        await page
          .getByText(new RegExp(`^${text}`, 'i'))
          .first()
          .waitFor()
        if (code === 404)
          await page
            .getByText(/userClassGroupBySAG/)
            .first()
            .waitFor()
      }
      status = 200
      await page.getByRole('button', { name: /重试|Retry|Try again/ }).click()
      await page.getByText('七年级（1）班').waitFor()
    }
  })

  test('AP-03 no network says so and what is on the page stays', async () => {
    const page = await openWith((route) => route.abort('connectionfailed'))
    await page
      .getByText(/网络连接失败/)
      .first()
      .waitFor()
    await page.getByText('登录设备').waitFor()
  })
})

describe('AP-02 the envelope in the console', () => {
  test('AP-02 any other code shows msg for 3 s, with the number to tell, and logs a data request exception', async () => {
    const page = await openAtPbs({
      [papers]: ok([{ id: '1', title: '期中试卷', url: null }]),
      [refresh]: envelope(7, '对方说不行'),
    })
    await page.getByText('期中试卷').waitFor()
    await page.getByRole('button', { name: '从 pbs 更新我的资料' }).click()
    const message = page.getByText('对方说不行')
    await message.waitFor()
    const shownAt = Date.now()
    await page
      .getByText('req-42')
      .or(page.getByRole('button', { name: /req-42/ }))
      .first()
      .waitFor()
    await message.waitFor({ state: 'hidden' })
    expect(Date.now() - shownAt).toBeGreaterThan(2000)
    expect(Date.now() - shownAt).toBeLessThan(6000)
    await page.goto(`${console.url}/#/__debug`)
    await page
      .getByText(/数据请求异常/)
      .first()
      .waitFor()
  })

  test.each([
    [papers, 500],
    [papers, 10_401],
    [refresh, 500],
    [refresh, 10_401],
  ])('AP-02 %s with code %i clears the cookies and goes to login', async (pattern, code) => {
    const answers = {
      [papers]: ok([]),
      [refresh]: ok({ name: 'x', avatar: null }),
      [pattern]: envelope(code, '合作平台登录已过期'),
    }
    const page = await openAtPbs(answers)
    if (pattern === refresh) await page.getByRole('button', { name: '从 pbs 更新我的资料' }).click()
    await page.waitForURL(/#\/login/)
    expect([await stored(page, 'token'), await cookie(page, 'token'), await cookie(page, 'uuid')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('AP-02 shiWaiLogin with code 10401 goes to login', async () => {
    const page = await console.open('/#/login')
    await page.route('**/api/auth/shiWaiLogin', envelope(10_401, '合作平台登录已过期'))
    await page.goto(`${console.url}/?entrance=shiWai&code=abc`)
    await page.waitForURL(/#\/login/)
    expect(await stored(page, 'token')).toBeNull()
  })

  test.each([
    ['an envelope code 401', envelope(401, '未授权，请登录')],
    ['HTTP 401', (route: Route) => route.fulfill({ status: 401, body: '' })],
  ])('NG-05 %s clears token and cookies and makes one redirect for a burst', async (_name, answer) => {
    const page = await openAsTeacher(console)
    await page.waitForURL(home)
    // Away first, so that only the page that is opened next meets the refusals.
    await page.goto('about:blank')
    const logins: string[] = []
    page.on('framenavigated', (frame) => frame.url().includes('#/login') && logins.push(frame.url()))
    await page.route('**/api/**', (route) =>
      /environment/.test(route.request().url()) ? route.continue() : answer(route),
    )
    await page.goto(`${console.url}/#/home`)
    await page.waitForURL(/#\/login\?redirect=/)
    await page.getByRole('textbox', { name: '手机号' }).waitFor()
    expect([await stored(page, 'token'), await cookie(page, 'token'), await cookie(page, 'uuid')]).toEqual([
      null,
      null,
      null,
    ])
    expect(logins).toEqual([expect.stringContaining('#/login?redirect=')])
  })
})

test('AP-01 the console calls the server of the chosen environment with the stored token', async () => {
  const page = await openAsTeacher(console)
  await page.waitForURL(home)
  const asked = page.waitForRequest(/\/api\/user\/userClassGroupBySAG/)
  await page.reload()
  const request = await asked
  expect(request.headers()['authorization']).toBe(await stored(page, 'token'))
  expect(new URL(request.url()).origin).toBe(console.url)
  const other = await startConsole({ TITLE: '另一台服务器' })
  try {
    await page.goto(`${console.url}/#/__debug`)
    await page.getByRole('radio', { name: /自定义/ }).check()
    await page.getByRole('textbox').first().fill(other.url)
    const elsewhere = page.waitForResponse((answer) => answer.url().startsWith(`${other.url}/api/environment`))
    await page.getByRole('button', { name: '应用并重新载入' }).click()
    expect((await elsewhere).status()).toBe(200)
    await page.goto(`${console.url}/#/login`)
    await signIn(page, demoAccounts.teacher)
    await page.waitForURL(home)
    const token = (await stored(page, 'token')) ?? ''
    const atOther = await fetch(`${other.url}/api/user/currentUser`, { headers: { authorization: token } })
    expect(atOther.status).toBe(200)
  } finally {
    // The page first, or its socket would complain about the server that goes.
    await page.context().close()
    await other.close()
  }
})

test('AP-01 the progress of an upload is told, and a cancelled one stops', async () => {
  const page = await openAsTeacher(console)
  await page.waitForURL(home)
  // The transport as it is, without its types: the console's own bundle has no door for a test.
  const source = await readFile(new URL('../../packages/contract/src/transport.ts', import.meta.url), 'utf8')
  const body = `${stripTypeScriptTypes(source)}\nglobalThis.transportUnderTest = defaultTransport`
  await page.route('**/transport-under-test.js', (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.addScriptTag({ url: '/transport-under-test.js', type: 'module' })
  const seen = await page.evaluate(async () => {
    type Sent = { status: number; body: Blob }
    const { transportUnderTest: send } = globalThis as unknown as {
      transportUnderTest: (request: object) => Promise<Sent>
    }
    const size = 6 * 1024 * 1024
    const headers = { Authorization: localStorage.getItem('token') ?? '' }
    const begun = await fetch('/api/upload', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: '扫描.pdf', size }),
    })
    const { data } = (await begun.json()) as { data: { id: string } }
    const progress: number[] = []
    const request = {
      method: 'PATCH',
      url: `/api/upload/${data.id}?offset=0`,
      headers: { ...headers, 'Content-Type': 'application/octet-stream' },
      body: new Blob([new Uint8Array(size)]),
      onUploadProgress: ({ loaded, total }: { loaded: number; total: number | null }) =>
        progress.push(loaded / (total ?? 1)),
      onDownloadProgress: undefined,
    }
    const cancelled = await send({ ...request, signal: AbortSignal.abort(new Error('given up')) }).then(
      () => 'sent',
      (error: Error) => error.message,
    )
    const answer = await send({ ...request, signal: new AbortController().signal })
    return { cancelled, status: answer.status, state: await answer.body.text(), progress }
  })
  expect(seen.cancelled).toBe('given up')
  expect(seen.status).toBe(200)
  expect(JSON.parse(seen.state)).toMatchObject({ code: 0, data: { state: 'complete' } })
  expect(seen.progress.at(-1)).toBe(1)
})
