import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import { clearLog, useLog } from '../../app/log.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { Panel } from '../../ui/panel.tsx'
import { CopyButton } from './copy-button.tsx'
import styles from './debug-page.module.css'

export function LogPanel() {
  const t = useTranslations('debug.log')
  const entries = useLog((state) => state.entries)
  const errors = entries.filter((entry) => entry.type === 'error').length
  const text = entries.map(({ time, type, message, page }) => `${time} ${type} ${message} ${page}`).join('\n')
  const actions = (
    <>
      <CopyButton text={text} label={t('copyAll')} disabled={entries.length === 0}>
        {t('copyAll')}
      </CopyButton>
      <Button size="small" disabled={entries.length === 0} onClick={clearLog}>
        {t('clear')}
      </Button>
    </>
  )
  const counts = entries.length > 0 ? t('counts', { count: entries.length, errors }) : null
  return (
    <Panel title={t('title')} note={counts} actions={actions}>
      {entries.length === 0 ? <EmptyNote title={t('empty')} /> : null}
      <ol className={styles['log']} aria-label={t('title')}>
        {entries.map(({ id, time, type, message }) => (
          <li key={id} data-type={type}>
            <time>{time}</time>
            <b>{t(type)}</b>
            <p>{message}</p>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
