import { createClient, environment } from '@console/contract'
import { useMutation } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { currentLocale } from '../../app/locale.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import styles from './debug-page.module.css'

/** Asks a server that is not chosen yet, and therefore without the token of the one that is. */
export function ConnectionCheck({ address, children }: { address: string; children: ReactNode }) {
  const t = useTranslations('debug.environment')
  const check = useMutation({
    mutationFn: (baseUrl: string) =>
      createClient({ baseUrl: () => baseUrl, token: () => null, locale: currentLocale }).call(
        environment,
        {},
        { timeout: 5000 },
      ),
  })
  const isAbout = check.variables === address
  return (
    <>
      <div className={styles['row']}>
        {children}
        <Button loading={check.isPending} onClick={() => check.mutate(address)}>
          {t('check')}
        </Button>
      </div>
      <div className={isAbout ? styles['check'] : undefined} aria-live="polite">
        {isAbout && check.isError ? <FailureNote error={check.error} /> : null}
        {isAbout && check.isSuccess ? (
          <Alert type="success" showIcon title={t('reachable', { version: check.data.version })} />
        ) : null}
      </div>
    </>
  )
}
