import { useTranslations } from 'use-intl'
import styles from './skeleton-lines.module.css'

/** In the shape of rows to come; it appears after 150 ms, so that a quick answer does not flicker. */
export function SkeletonLines({ rows }: { rows: number }) {
  const t = useTranslations('common')
  return (
    <div className={styles['lines']} role="status">
      <span className="visually-hidden">{t('loading')}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={styles['row']} aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  )
}
