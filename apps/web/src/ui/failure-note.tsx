import { Alert, Button } from 'antd'
import { useTranslations } from 'use-intl'
import { failureText, requestIdOf } from '../app/failure-text.ts'
import { RequestNumber } from './request-number.tsx'

type FailureNoteProps = { error: unknown; onRetry?: () => void; retrying?: boolean }

/** A failure where it happened: what went wrong, the number to report, and another try. */
export function FailureNote({ error, onRetry, retrying = false }: FailureNoteProps) {
  const t = useTranslations('common')
  const requestId = requestIdOf(error)
  return (
    <Alert
      type="error"
      showIcon
      title={
        <>
          {failureText(error)}
          {requestId ? <RequestNumber id={requestId} /> : null}
        </>
      }
      action={
        onRetry ? (
          <Button size="small" onClick={onRetry} loading={retrying}>
            {t('retry')}
          </Button>
        ) : null
      }
    />
  )
}
