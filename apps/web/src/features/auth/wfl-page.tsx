import { Alert } from 'antd'
import { Link, useLoaderData } from 'react-router'
import { useTranslations } from 'use-intl'
import type { HandedTokenAnswer } from '../../app/handed-token.ts'
import { AuthLayout } from './auth-layout.tsx'
import styles from './notice.module.css'

const steps = ['one', 'two', 'three'] as const

/** Whoever comes with a token never sees this page: its loader sends them on. */
export function WflPage() {
  const t = useTranslations('auth.wfl')
  const tCommon = useTranslations('common')
  const { refused } = useLoaderData<HandedTokenAnswer>()
  return (
    <AuthLayout heading={t('heading')}>
      <div className={styles['notice']}>
        {refused ? (
          <Alert type="error" showIcon title={t('refused')} description={t('refusedText')} />
        ) : (
          <p className={styles['text']}>{t('text')}</p>
        )}
        <ol className={`${styles['steps']} ${styles['plain']}`}>
          {steps.map((step) => (
            <li key={step}>{t(`steps.${step}`)}</li>
          ))}
        </ol>
        <p className={styles['back']}>
          <Link to="/login">{tCommon('backToLogin')}</Link>
        </p>
      </div>
    </AuthLayout>
  )
}
