import { createTranslator } from 'use-intl/core'
import { enUS } from './en-us.ts'
import type { Locale } from './locales.ts'
import type { LeafKey, SameShape } from './shape.ts'
import { zhCN } from './zh-cn.ts'

export { defaultLocale, isLocale, locales, type Locale } from './locales.ts'

export type Phrases = SameShape<typeof zhCN>
export type PhraseKey = LeafKey<Phrases>
/** An error is a code and the code is a phrase key; only the edge speaks the user's language. */
export type ErrorCode = LeafKey<Phrases['error']>
export type PhraseParams = Record<string, string | number>

export const phrases: Record<Locale, Phrases> = { 'zh-CN': zhCN, 'en-US': enUS }

type LooseTranslator = (key: string, params?: PhraseParams) => string

function makeTranslator(locale: Locale): LooseTranslator {
  return createTranslator({ locale, messages: phrases[locale], timeZone: 'Asia/Shanghai' }) as LooseTranslator
}

const translators: Record<Locale, LooseTranslator> = {
  'zh-CN': makeTranslator('zh-CN'),
  'en-US': makeTranslator('en-US'),
}

/** Speaks a phrase where no React is at hand: on the server, in commands, in print. */
export function say(locale: Locale, key: PhraseKey, params?: PhraseParams): string {
  return translators[locale](key, params)
}

/** How long to wait, as a person says it. */
export function sayWait(locale: Locale, milliseconds: number): string {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000))
  return seconds < 90
    ? say(locale, 'server.wait.seconds', { count: seconds })
    : say(locale, 'server.wait.minutes', { count: Math.ceil(seconds / 60) })
}
