import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { useServerEnvironment } from '../../app/server-environment.ts'
import { AuthLayout } from './auth-layout.tsx'
import styles from './notice.module.css'

const steps = ['ask', 'open', 'enter'] as const

/** Nobody registers by themselves: a school administrator opens accounts, and this page says how. */
export function RegisterPage() {
  const t = useTranslations('auth.register')
  const tCommon = useTranslations('common')
  const { data: environment } = useServerEnvironment()
  return (
    <AuthLayout heading={t('heading')}>
      <div className={styles['notice']}>
        <p className={styles['text']}>{t('text')}</p>
        <ol className={styles['steps']}>
          {steps.map((step) => (
            <li key={step}>
              <h2>{t(`steps.${step}.title`)}</h2>
              <p>{t(`steps.${step}.text`)}</p>
            </li>
          ))}
        </ol>
        {environment && environment.entrances.length > 0 ? <p className={styles['hint']}>{t('partnerHint')}</p> : null}
        <p className={styles['back']}>
          <Link to="/login">{tCommon('backToLogin')}</Link>
        </p>
      </div>
    </AuthLayout>
  )
}
