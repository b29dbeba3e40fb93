import { useTranslations } from 'use-intl'
import { debugSettingsVersion } from '../../app/environments.ts'
import { useServerEnvironment } from '../../app/server-environment.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatTime } from '../../ui/format-time.ts'
import { Panel } from '../../ui/panel.tsx'
import styles from './debug-page.module.css'

export function BuildPanel() {
  const t = useTranslations('debug.build')
  const { data, error, isFetching, refetch } = useServerEnvironment()
  const facts = [
    [t('console'), __CONSOLE_VERSION__],
    [t('consoleBuilt'), formatTime(__BUILD_TIME__)],
    [t('server'), data?.version],
    [t('serverBuilt'), data?.buildTime ? formatTime(data.buildTime) : ''],
    [t('envType'), data?.envType],
    [t('website'), data?.website],
    [t('settingsVersion'), String(debugSettingsVersion)],
  ]
  return (
    <Panel title={t('title')}>
      {error ? <FailureNote error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      <dl className={styles['facts']}>
        {facts.map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value || t('unknown')}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
