import type { PhraseKey } from '@console/phrases'
import { useEffect } from 'react'
import { useMatches } from 'react-router'
import { useTranslations } from 'use-intl'
import { useServerEnvironment } from './server-environment.ts'

function titleOf(handle: unknown): PhraseKey | null {
  return typeof handle === 'object' && handle !== null && 'title' in handle ? (handle.title as PhraseKey) : null
}

export function useProductName(): string {
  const t = useTranslations('common')
  const { data } = useServerEnvironment()
  return data?.title || t('productName')
}

/** `<page title> - <suffix>`; the title is a key, so that it follows the language. */
export function PageTitle() {
  const t = useTranslations()
  const key = useMatches()
    .map(({ handle }) => titleOf(handle))
    .findLast((title) => title !== null)
  const suffix = useProductName()
  const title = key ? t(key) : ''
  useEffect(() => {
    document.title = title ? `${title} - ${suffix}` : suffix
  }, [title, suffix])
  return null
}
