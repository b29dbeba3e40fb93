import { useTranslations } from 'use-intl'
import { useServerEnvironment } from '../app/server-environment.ts'
import styles from './site-footer.module.css'

/** The company's line, the version, and a warning on every server that is not the real one. */
export function SiteFooter() {
  const t = useTranslations('environment')
  const { data } = useServerEnvironment()
  return (
    <footer className={styles['footer']}>
      {data && data.envType !== 'production' ? <strong className={styles['test']}>{t('testWarning')}</strong> : null}
      {data?.company ? <span>{data.company}</span> : null}
      <span>{t('version', { version: data?.version || __CONSOLE_VERSION__ })}</span>
    </footer>
  )
}
