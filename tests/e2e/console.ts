import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { readConfig } from '../../apps/server/src/config.ts'
import { demoAccounts, demoPassword, seedDemo } from '../../apps/server/src/db/seed/demo.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { startServer, type Running } from '../../apps/server/src/server.ts'

export { demoAccounts, demoPassword }

export type View = { width?: number; height?: number; locale?: 'zh-CN' | 'en-US'; dark?: boolean; touch?: boolean }

export type Console = {
  url: string
  services: Running['services']
  browser: Browser
  /** A browser of one person: its own storage, its own cookies. */
  open: (address: string, view?: View) => Promise<Page>
  /** Fails when any page said an error or a warning. */
  close: () => Promise<void>
}

// Not the package's own arguments: its single process keeps the storage of different people together.
const browserArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
  '--hide-scrollbars',
  '--font-render-hinting=none',
]

/** The real server with the demo school, and a real browser that comes from an npm package. */
export async function startConsole(env: Record<string, string> = {}): Promise<Console> {
  const dataDir = await mkdtemp(join(tmpdir(), 'console-e2e-'))
  const config = readConfig({ LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: dataDir, ...env }, 'demo')
  const running = await startServer(config, createLog(config), { prepare: (store) => seedDemo(store, Date.now()) })
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: browserArgs,
    headless: true,
  })
  const complaints: string[] = []
  const contexts: BrowserContext[] = []
  return {
    url: running.address,
    services: running.services,
    browser,
    async open(address, view = {}) {
      const context = await newContext(browser, view)
      contexts.push(context)
      const page = await context.newPage()
      listen(page, complaints)
      await page.goto(running.address + address)
      return page
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      await browser.close()
      await running.close()
      await rm(dataDir, { recursive: true, force: true })
      if (complaints.length > 0) throw new Error(`the browser complained:\n${complaints.join('\n')}`)
    },
  }
}

async function newContext(
  browser: Browser,
  { width = 1280, height = 800, locale = 'zh-CN', dark = false, touch = false }: View,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale,
    timezoneId: 'Asia/Shanghai',
    hasTouch: touch,
    reducedMotion: 'reduce',
  })
  // Chinese is what everybody gets; English is a choice that was made before.
  if (locale === 'en-US') await context.addInitScript(() => localStorage.setItem('i18n-locale', 'en-US'))
  return context
}

/**
 * Answers that are not 2xx are logged by the browser itself and belong to the journeys that cause them;
 * that a cancelled request warns is what the specification asks for.
 */
function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    const isOwn =
      !/Failed to load resource: the server responded with a status|net::ERR_CONNECTION_FAILED|: cancelled$/.test(
        message.text(),
      )
    if (['error', 'warning'].includes(message.type()) && isOwn)
      complaints.push(`${page.url()}: ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.stack ?? error.message}`))
}
