import type { Locale } from '@console/phrases/locales'

/** Each language is named in itself, whatever language is on. */
export const localeNameKeys = {
  'zh-CN': 'languages.zhCN',
  'en-US': 'languages.enUS',
} as const satisfies Record<Locale, string>
