import { useTranslations } from 'use-intl'
import { LogoMark } from '../../ui/logo-mark.tsx'
import { AnswerSheetMotif } from './answer-sheet-motif.tsx'
import styles from './brand-panel.module.css'

const steps = ['compose', 'sheet', 'scan', 'mark', 'review', 'practise'] as const

export function BrandPanel({ product }: { product: string }) {
  const t = useTranslations('auth.brand')
  return (
    <aside className={styles['panel']} aria-label={product}>
      <p className={styles['brand']}>
        <LogoMark size={32} />
        {product}
      </p>
      <AnswerSheetMotif className={styles['motif'] ?? ''} />
      <div className={styles['words']}>
        <p className={styles['headline']}>{t('headline')}</p>
        <p className={styles['text']}>{t('text')}</p>
        <ol className={styles['steps']} aria-label={t('loop')}>
          {steps.map((step) => (
            <li key={step}>{t(`steps.${step}`)}</li>
          ))}
        </ol>
      </div>
    </aside>
  )
}
