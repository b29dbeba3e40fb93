import type { Page } from 'playwright-core'
import { demoAccounts, demoPassword, type Console, type View } from './console.ts'

/** Fills the sign-in form as a person does and waits for the page behind it. */
export async function signIn(page: Page, phone: string, password = demoPassword): Promise<void> {
  await page.getByRole('textbox', { name: /手机号|Mobile number/ }).fill(phone)
  await page.locator('input[autocomplete=current-password]').fill(password)
  await page.keyboard.press('Enter')
}

export async function openAsTeacher(console: Console, view: View = {}, address = '/#/login'): Promise<Page> {
  const page = await console.open(address, view)
  await signIn(page, demoAccounts.teacher)
  await page.getByRole('banner').waitFor()
  return page
}

export async function openUserMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: /账号菜单|account menu/i }).click()
}

export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

export async function cookie(page: Page, name: string): Promise<string | null> {
  const found = (await page.context().cookies()).find((item) => item.name === name)
  return found ? found.value : null
}
