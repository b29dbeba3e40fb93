import { fields } from '@console/contract'
import { Button, Form, Input } from 'antd'
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
import { useSignIn, type SignInValues, type SignInWay } from './use-sign-in.ts'
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

/** One form for both ways: what was typed in one stays when looking at the other. */
export function LoginForm({ refused }: { refused: string | null }) {
  const t = useTranslations('auth')
  const [form] = Form.useForm<SignInValues>()
  const [way, setWay] = useState<SignInWay>('password')
  const { data: environment } = useServerEnvironment()
  const { phase, failure, blockedUntil, signIn } = useSignIn(refused)
  const secondsBlocked = useSecondsLeft(blockedUntil)
  useErrorsInLanguage(form)

  const smsLogin = environment?.smsLogin ?? true
  const askPhone = async () => {
    try {
      const { phone } = await form.validateFields(['phone'])
      return String(phone).trim()
    } catch {
      form.getFieldInstance('phone')?.focus()
      return null
    }
  }
  const submit = (values: SignInValues) => void signIn(way, { ...values, phone: values.phone.trim() })
  const tabs = [
    { key: 'password' as const, label: t('login.byPassword') },
    ...(smsLogin ? [{ key: 'sms' as const, label: t('login.bySms') }] : []),
  ]
  const label = phase === 'checking' ? t('login.checking') : phase === 'sending' ? t('login.submitting') : t('login.submit')
  return (
    <Form
      form={form}
      name="login"
      layout="vertical"
      requiredMark={false}
      initialValues={{ phone: '', password: '', code: '' }}
      scrollToFirstError={{ focus: true }}
      onFinish={submit}
      className={styles['form']}
    >
      <WayTabs label={t('login.ways')} tabs={tabs} active={way} onChange={setWay}>
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
      <div className={styles['failure']} aria-live="assertive">
        <SignInFailure failure={failure} secondsBlocked={secondsBlocked} />
      </div>
      <Button
        type="primary"
        htmlType="submit"
        size="large"
        block
        loading={phase !== 'idle'}
        disabled={secondsBlocked > 0}
      >
        {label}
      </Button>
      <p className={styles['forgot']}>{smsLogin ? t('login.forgot') : t('login.forgotNoSms')}</p>
      {environment?.envType === 'demo' ? (
        <DemoAccounts
          onChoose={(account) => {
            setWay('password')
            form.setFieldsValue(account)
          }}
        />
      ) : null}
    </Form>
  )
}
