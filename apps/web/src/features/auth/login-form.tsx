import { fields } from '@console/contract'
import { Button, Form, Input, type FormInstance } from 'antd'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useServerEnvironment } from '../../app/server-environment.ts'
import { useErrorsInLanguage } from '../../ui/use-errors-in-language.ts'
import { CodeField } from './code-field.tsx'
import { DemoAccounts } from './demo-accounts.tsx'
import styles from './login-form.module.css'
import { PasswordField } from './password-field.tsx'
import { SignInFailure } from './sign-in-failure.tsx'
import { useSecondsLeft } from './use-seconds-left.ts'
import { useSignIn, type SignInPhase, type SignInValues, type SignInWay } from './use-sign-in.ts'
import { WayTabs } from './way-tabs.tsx'

function PhoneField() {
  const t = useTranslations('auth')
  const rules = [
    { required: true, whitespace: true, message: t('required.phone') },
    { pattern: fields.phonePattern, transform: (value: string) => value.trim(), message: t('format.phone') },
  ]
  return (
    <Form.Item name="phone" label={t('login.phone')} rules={rules} validateTrigger="onBlur">
      <Input
        size="large"
        type="tel"
        autoComplete="username"
        maxLength={20}
        autoFocus
        placeholder={t('login.phonePlaceholder')}
      />
    </Form.Item>
  )
}

/** Asking for a code needs the phone number, and nothing else of the form. */
function usePhone(form: FormInstance<SignInValues>) {
  return async () => {
    try {
      const { phone } = await form.validateFields(['phone'])
      return phone.trim()
    } catch {
      form.getFieldInstance('phone')?.focus()
      return null
    }
  }
}

function SubmitButton({ phase, disabled }: { phase: SignInPhase; disabled: boolean }) {
  const t = useTranslations('auth.login')
  const labels = { idle: t('submit'), sending: t('submitting'), checking: t('checking') }
  return (
    <Button type="primary" htmlType="submit" size="large" block loading={phase !== 'idle'} disabled={disabled}>
      {labels[phase]}
    </Button>
  )
}

type WayFieldsProps = {
  form: FormInstance<SignInValues>
  way: SignInWay
  onChange: (way: SignInWay) => void
  sms: boolean
}

function WayFields({ form, way, onChange, sms }: WayFieldsProps) {
  const t = useTranslations('auth')
  const askPhone = usePhone(form)
  const tabs = [
    { key: 'password' as const, label: t('login.byPassword') },
    ...(sms ? [{ key: 'sms' as const, label: t('login.bySms') }] : []),
  ]
  return (
    <WayTabs label={t('login.ways')} tabs={tabs} active={way} onChange={onChange}>
      <PhoneField />
      {way === 'password' ? (
        <PasswordField
          name="password"
          label={t('login.password')}
          placeholder={t('login.passwordPlaceholder')}
          required={t('required.password')}
        />
      ) : (
        <CodeField askPhone={askPhone} />
      )}
    </WayTabs>
  )
}

/** One form for both ways: what was typed in one stays when looking at the other. */
export function LoginForm({ refused }: { refused: string | null }) {
  const t = useTranslations('auth.login')
  const [form] = Form.useForm<SignInValues>()
  const [way, setWay] = useState<SignInWay>('password')
  const { data: environment } = useServerEnvironment()
  const { phase, failure, blockedUntil, signIn, forgetFailure } = useSignIn(refused)
  const secondsBlocked = useSecondsLeft(blockedUntil)
  useErrorsInLanguage(form)
  const sms = environment?.smsLogin ?? true
  const changeWay = (chosen: SignInWay) => {
    setWay(chosen)
    forgetFailure()
  }
  return (
    <Form
      form={form}
      name="login"
      layout="vertical"
      requiredMark={false}
      initialValues={{ phone: '', password: '', code: '' }}
      scrollToFirstError={{ focus: true }}
      onFinish={(values) => void signIn(way, { ...values, phone: values.phone.trim() })}
      className={styles['form']}
    >
      <WayFields form={form} way={way} onChange={changeWay} sms={sms} />
      <div className={styles['failure']} aria-live="assertive">
        <SignInFailure failure={failure} secondsBlocked={secondsBlocked} />
      </div>
      <SubmitButton phase={phase} disabled={secondsBlocked > 0} />
      <p className={styles['forgot']}>{sms ? t('forgot') : t('forgotNoSms')}</p>
      {environment?.envType === 'demo' ? (
        <DemoAccounts
          onChoose={(account) => {
            changeWay('password')
            form.setFieldsValue(account)
          }}
        />
      ) : null}
    </Form>
  )
}
