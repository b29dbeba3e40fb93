import { useTranslations } from 'use-intl'
import { Link } from 'react-router'
import { homePath } from '../../app/redirect-target.ts'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import { BuildPanel } from './build-panel.tsx'
import styles from './debug-page.module.css'
import { EnvironmentPanel } from './environment-panel.tsx'
import { LogPanel } from './log-panel.tsx'
import { SmsPanel } from './sms-panel.tsx'

export function DebugPage() {
  const t = useTranslations()
  return (
    <main className={styles['page']}>
      <header>
        <div>
          <h1>{t('debug.title')}</h1>
          <p>{t('debug.intro')}</p>
        </div>
        <nav>
          <LanguageSwitch />
          <ThemeToggle />
          <Link to={homePath}>{t('common.backHome')}</Link>
        </nav>
      </header>
      <div className={styles['panels']}>
        <EnvironmentPanel />
        <BuildPanel />
        <SmsPanel />
        <LogPanel />
      </div>
    </main>
  )
}
