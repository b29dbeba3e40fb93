import { Form, Input } from 'antd'
import { useState, type KeyboardEvent } from 'react'
import { useTranslations } from 'use-intl'
import styles from './login-form.module.css'

type PasswordFieldProps = { name: string; label: string; placeholder?: string; required: string }

/** The password of somebody signing in: shown on demand, and a word when Caps Lock is on. */
export function PasswordField({ name, label, placeholder, required }: PasswordFieldProps) {
  const t = useTranslations('auth.login')
  const [capsLock, setCapsLock] = useState(false)
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Form.Item
      name={name}
      label={label}
      rules={[{ required: true, message: required }]}
      extra={
        capsLock ? (
          <span role="status" className={styles['capsLock']}>
            {t('capsLock')}
          </span>
        ) : null
      }
    >
      <Input.Password
        size="large"
        autoComplete="current-password"
        maxLength={128}
        placeholder={placeholder}
        onKeyDown={watch}
        onKeyUp={watch}
        onBlur={() => setCapsLock(false)}
      />
    </Form.Item>
  )
}
