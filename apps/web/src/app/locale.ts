import type { PhraseKey, PhraseParams, Phrases } from '@console/phrases'
import { defaultLocale, isLocale, type Locale } from '@console/phrases/locales'
import type { ConfigProviderProps } from 'antd'
import dayjs from 'dayjs'
import { createTranslator } from 'use-intl/core'
import { create } from 'zustand'
import { readUserId } from './credentials.ts'
import { ownKey, readStored, writeStored } from './storage.ts'

type Bundle = { phrases: Phrases; antd: NonNullable<ConfigProviderProps['locale']>; dayjs: string }
type LocaleState = { locale: Locale; bundle: Bundle | null }

const localeKey = 'i18n-locale'

const loaders: Record<Locale, () => Promise<{ bundle: Bundle }>> = {
  'zh-CN': () => import('./locales/zh-cn.ts'),
  'en-US': () => import('./locales/en-us.ts'),
}

export const useLocale = create<LocaleState>(() => ({ locale: defaultLocale, bundle: null }))

export function currentLocale(): Locale {
  return useLocale.getState().locale
}

/** Texts, dates and library widgets change in one step: the state is set only when all of the language is there. */
async function applyLocale(locale: Locale): Promise<void> {
  const { bundle } = await loaders[locale]()
  dayjs.locale(bundle.dayjs)
  document.documentElement.lang = locale
  useLocale.setState({ locale, bundle })
}

export async function startLocale(): Promise<void> {
  const stored = readStored(localeKey)
  await applyLocale(isLocale(stored) ? stored : defaultLocale)
}

export async function chooseLocale(locale: Locale): Promise<void> {
  await applyLocale(locale)
  writeStored(localeKey, locale)
  const userId = readUserId()
  if (userId) writeStored(ownKey(localeKey, userId), locale)
}

/** A shared computer: each teacher gets the language they chose, and not the one before them. */
export async function adoptUserLocale(userId: string): Promise<void> {
  const stored = readStored(ownKey(localeKey, userId))
  if (isLocale(stored) && stored !== currentLocale()) await chooseLocale(stored)
}

type LooseTranslator = (key: string, params?: PhraseParams) => string

/** Speaks a phrase where no component is at hand: in the call policy and in the log. */
export function say(key: PhraseKey, params?: PhraseParams): string {
  const { locale, bundle } = useLocale.getState()
  if (!bundle) return key
  return (createTranslator({ locale, messages: bundle.phrases }) as LooseTranslator)(key, params)
}
