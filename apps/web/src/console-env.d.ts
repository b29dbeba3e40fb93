import type { Locale, Phrases } from '@console/phrases'

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale
    Messages: Phrases
  }
}

declare global {
  const __CONSOLE_VERSION__: string
  const __BUILD_TIME__: string
}
