import { authSessions, type DataOf } from '@console/contract'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslations } from 'use-intl'
import { loadChunk } from '../../app/chunk.ts'
import { call } from '../../app/client.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatTime } from '../../ui/format-time.ts'
import { Panel } from '../../ui/panel.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import styles from './signed-in-devices.module.css'

const EndSessionDialog = lazy(async () => {
  const { EndSessionDialog: component } = await loadChunk(() => import('./end-session-dialog.tsx'))
  return { default: component }
})

type Device = DataOf<typeof authSessions>[number]

function DeviceRow({ device, onEnd }: { device: Device; onEnd: () => void }) {
  const t = useTranslations('shell.home.devices')
  const name = device.device || t('unknown')
  return (
    <li>
      <div>
        <p className={styles['name']}>
          {name}
          {device.isCurrent ? <span className={styles['current']}>{t('current')}</span> : null}
        </p>
        <p className={styles['detail']}>
          {device.address ? <span>{device.address}</span> : null}
          <span>
            {device.isCurrent
              ? t('signedIn', { time: formatTime(device.createdAt) })
              : t('lastSeen', { time: formatTime(device.seenAt) })}
          </span>
        </p>
      </div>
      {device.isCurrent ? null : (
        <Button size="small" aria-label={`${t('end')}: ${name}`} onClick={onEnd}>
          {t('end')}
        </Button>
      )}
    </li>
  )
}

export function SignedInDevices() {
  const t = useTranslations('shell.home.devices')
  const [ending, setEnding] = useState<Device | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['auth', 'sessions'],
    queryFn: ({ signal }) => call(authSessions, {}, { signal, handlesFailure: true }),
  })
  return (
    <Panel title={t('title')}>
      {data ? (
        <>
          <ul className={styles['devices']}>
            {data.map((device) => (
              <DeviceRow key={device.id} device={device} onEnd={() => setEnding(device)} />
            ))}
          </ul>
          <p className={styles['hint']}>{data.some((device) => !device.isCurrent) ? t('hint') : t('none')}</p>
        </>
      ) : null}
      {error ? <FailureNote error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {data === undefined && !error ? <SkeletonLines rows={2} /> : null}
      <Suspense fallback={null}>
        {ending ? (
          <EndSessionDialog id={ending.id} device={ending.device || t('unknown')} onClose={() => setEnding(null)} />
        ) : null}
      </Suspense>
    </Panel>
  )
}
