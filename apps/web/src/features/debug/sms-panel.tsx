import { ReloadOutlined } from '@ant-design/icons'
import { authDebugSms, type DataOf } from '@console/contract'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import { callQuietly } from '../../app/client.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatTime } from '../../ui/format-time.ts'
import { Panel } from '../../ui/panel.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './debug-page.module.css'

function CodeTable({ messages }: { messages: DataOf<typeof authDebugSms> }) {
  const t = useTranslations('debug.sms')
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{t('phone')}</th>
          <th scope="col">{t('code')}</th>
          <th scope="col">{t('at')}</th>
        </tr>
      </thead>
      <tbody>
        {messages.map(({ phone, code, at }) => (
          <tr key={`${phone} ${at}`}>
            <td>{phone}</td>
            <td>
              <span className={styles['code']}>{code}</span>
              <CopyButton text={code} label={t('copyCode', { code })} />
            </td>
            <td>{formatTime(at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function SmsPanel() {
  const t = useTranslations('debug.sms')
  const tCommon = useTranslations('common')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['auth', 'debugSms'],
    queryFn: ({ signal }) => callQuietly(authDebugSms, {}, { signal, handlesFailure: true }),
  })
  const refresh = (
    <Button size="small" icon={<ReloadOutlined />} loading={isFetching} onClick={() => void refetch()}>
      {tCommon('refresh')}
    </Button>
  )
  return (
    <Panel title={t('title')} actions={refresh}>
      {data && data.length > 0 ? <CodeTable messages={data} /> : null}
      {data?.length === 0 ? <EmptyNote title={t('empty')}>{t('hint')}</EmptyNote> : null}
      {error ? <FailureNote error={error} /> : null}
      {data === undefined && !error ? <SkeletonLines rows={2} /> : null}
    </Panel>
  )
}
