import { LoadingOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { FailureNote } from '../../ui/failure-note.tsx'
import { AuthLayout } from './auth-layout.tsx'
import styles from './notice.module.css'
import { usePartnerSignIn, type Partner, type PartnerStep } from './use-partner-sign-in.ts'

type StepProps = { step: PartnerStep; name: string; retry: () => void }

const failedKinds: ReadonlySet<PartnerStep['kind']> = new Set(['failed', 'returnedError', 'stateMismatch'])

function reasonOf(code: string): 'denied' | 'unavailable' | 'other' {
  if (code === 'access_denied') return 'denied'
  return code === 'server_error' || code === 'temporarily_unavailable' ? 'unavailable' : 'other'
}

function FailedStep({ step, name, retry }: StepProps) {
  const t = useTranslations('auth.partner')
  const reason = step.kind === 'returnedError' ? t(`reasons.${reasonOf(step.code)}`, { code: step.code }) : ''
  return (
    <>
      {step.kind === 'failed' ? <FailureNote error={step.error} /> : null}
      {step.kind === 'returnedError' ? (
        <Alert type="error" showIcon title={t('returnedError', { partner: name, reason })} />
      ) : null}
      {step.kind === 'stateMismatch' ? <Alert type="error" showIcon title={t('stateMismatch')} /> : null}
      <Button type="primary" size="large" block onClick={retry}>
        {t('retry')}
      </Button>
    </>
  )
}

function WaitingStep({ step, name }: Omit<StepProps, 'retry'>) {
  const t = useTranslations('auth.partner')
  return (
    <div className={styles['waiting']} role="status">
      <LoadingOutlined aria-hidden="true" />
      <p>{step.kind === 'signingIn' ? t('signingInText', { partner: name }) : t('goingText')}</p>
      {step.kind === 'going' ? <a href={step.url}>{t('goManually')}</a> : null}
    </div>
  )
}

function headingKey(step: PartnerStep): 'failed' | 'signingIn' | 'going' | 'preparing' {
  if (failedKinds.has(step.kind)) return 'failed'
  return step.kind === 'signingIn' || step.kind === 'going' ? step.kind : 'preparing'
}

function PartnerLoginPage({ partner }: { partner: Partner }) {
  const t = useTranslations()
  const { step, retry } = usePartnerSignIn(partner)
  const name = t(`auth.partner.names.${partner}`)
  return (
    <AuthLayout heading={t(`auth.partner.${headingKey(step)}`, { partner: name })}>
      <div className={styles['notice']}>
        {failedKinds.has(step.kind) ? (
          <FailedStep step={step} name={name} retry={retry} />
        ) : (
          <WaitingStep step={step} name={name} />
        )}
        <p className={styles['back']}>
          <Link to="/login">{t('common.backToLogin')}</Link>
        </p>
      </div>
    </AuthLayout>
  )
}

export function SzjxLoginPage() {
  return <PartnerLoginPage partner="szjx" />
}

export function ShiWaiLoginPage() {
  return <PartnerLoginPage partner="shiWai" />
}

export function PbsLoginPage() {
  return <PartnerLoginPage partner="pbs" />
}
