import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { demoAccounts, startConsole, type Console, type View } from './console.ts'
import { openUserMenu, signIn } from './people.ts'

const pictures = join(import.meta.dirname, '../../test-results/look')
let console: Console
beforeAll(async () => {
  await mkdir(pictures, { recursive: true })
  console = await startConsole()
})
afterAll(() => console.close())

const sizes: readonly View[] = [
  { width: 360, height: 740, touch: true },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
]
const views = sizes.flatMap((size) =>
  (['zh-CN', 'en-US'] as const).flatMap((locale) => [false, true].map((dark) => ({ ...size, locale, dark }))),
)

/** What a person meets in this order; each step leaves the page as the next one needs it. */
const stops: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['login', async (page) => page.locator('form').waitFor()],
  [
    'login-refused',
    async (page) => {
      await page.locator('form button[type=submit]').click()
      await page
        .getByText(/请输入手机号|Enter your mobile|mobile number/)
        .first()
        .waitFor()
    },
  ],
  ['register', (page) => open(page, '/register')],
  ['szjx', (page) => open(page, '/szjxLogin')],
  ['wfl', (page) => open(page, '/wflLogin')],
  ['error-print', (page) => open(page, '/errorPrint/v3')],
  ['missing', (page) => open(page, '/no/such/page')],
  ['debug', (page) => open(page, '/__debug')],
  [
    'home',
    async (page) => {
      await open(page, '/login')
      await signIn(page, demoAccounts.teacher)
      await page.getByText('七年级（1）班').waitFor()
    },
  ],
  [
    'change-password',
    async (page) => {
      await openUserMenu(page)
      await page.getByRole('menuitem', { name: /修改密码|Change password/ }).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
]

async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${console.url}/#${path}`)
  await page.locator(':is(h1, h2):visible').first().waitFor()
}

describe.each(views)('$width wide, $locale, dark: $dark', (view) => {
  test(
    'every page fits, is readable by assistive technology, and has its picture taken',
    { timeout: 240_000 },
    async () => {
      const page = await console.open('/#/login', view)
      for (const [name, go] of stops) {
        await go(page)
        await page.evaluate(() =>
          Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))),
        )
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0)
        await page.screenshot({
          path: join(pictures, `${name}-${view.width}-${view.locale}-${view.dark ? 'dark' : 'light'}.png`),
        })
        // Its rules depend on colours and texts, hardly on the width.
        if (view.width !== 1280) continue
        const { violations } = await new AxeBuilder({ page }).analyze()
        const said = violations.map(
          ({ id, nodes }) => `${name}: ${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
        )
        expect(said).toEqual([])
      }
      await page.context().close()
    },
  )
})
