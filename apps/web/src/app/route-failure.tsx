import { CallError } from '@console/contract'
import { Button } from 'antd'
import { useEffect } from 'react'
import { useNavigate, useRevalidator, useRouteError } from 'react-router'
import { useTranslations } from 'use-intl'
import { FailureNote } from '../ui/failure-note.tsx'
import { StatusPage } from '../ui/status-page.tsx'
import { ChunkLoadError } from './chunk.ts'
import { addLog } from './log.ts'
import { homePath } from './redirect-target.ts'

/** What stands in the place of a page that could not start, could not be loaded, or broke. */
export function RouteFailure() {
  const error = useRouteError()
  const t = useTranslations()
  const navigate = useNavigate()
  const revalidator = useRevalidator()
  useEffect(() => addLog(error instanceof Error ? `${error.name}: ${error.message}` : String(error), 'error'), [error])
  if (error instanceof CallError) {
    const retry = () => void revalidator.revalidate()
    return (
      <StatusPage title={t('shell.page.startFailed.title')} text={t('shell.page.startFailed.text')}>
        <FailureNote error={error} onRetry={retry} retrying={revalidator.state === 'loading'} />
      </StatusPage>
    )
  }
  const kind = error instanceof ChunkLoadError ? 'loadFailed' : 'crashed'
  return (
    <StatusPage title={t(`shell.page.${kind}.title`)} text={t(`shell.page.${kind}.text`)}>
      <Button type="primary" onClick={() => location.reload()}>
        {t('common.retry')}
      </Button>
      <Button onClick={() => void navigate(homePath)}>{t('common.backHome')}</Button>
    </StatusPage>
  )
}
