import type { Locale } from '@console/phrases/locales'
import { failureText } from '../app/failure-text.ts'
import { showError } from '../app/feedback.tsx'
import { chooseLocale } from '../app/locale.ts'

export function switchLocale(locale: Locale): void {
  chooseLocale(locale).catch((error: unknown) => showError(failureText(error)))
}
