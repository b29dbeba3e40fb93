import { useTranslations } from 'use-intl'
import { LogoMark } from './logo-mark.tsx'
import styles from './starting-screen.module.css'

/** Between the first paint and the first page; it shows only when that takes longer than 150 ms. */
export function StartingScreen() {
  const t = useTranslations('common')
  return (
    <div className={styles['screen']} role="status">
      <LogoMark size={40} />
      <span className="visually-hidden">{t('loading')}</span>
    </div>
  )
}
