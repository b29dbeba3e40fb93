import { Button, Form, Input, Space } from 'antd'
import { useTranslations } from 'use-intl'
import { FailureNote } from '../../ui/failure-note.tsx'
import styles from './login-form.module.css'
import { useSendCode } from './use-send-code.ts'

/** The code of a text message, and the button that asks for one. */
export function CodeField({ askPhone }: { askPhone: () => Promise<string | null> }) {
  const t = useTranslations('auth')
  const { send, seconds } = useSendCode()
  const ask = async () => {
    const phone = await askPhone()
    if (phone) send.mutate(phone)
  }
  return (
    <>
      <Form.Item label={t('login.code')} htmlFor="login_code" required>
        <Space.Compact block>
          <Form.Item name="code" noStyle rules={[{ required: true, whitespace: true, message: t('required.code') }]}>
            <Input
              size="large"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={10}
              placeholder={t('login.codePlaceholder')}
            />
          </Form.Item>
          <Button
            size="large"
            className={styles['sendCode']}
            disabled={seconds > 0}
            loading={send.isPending}
            onClick={() => void ask()}
          >
            {seconds > 0 ? t('login.sendAgain', { seconds }) : t('login.sendCode')}
          </Button>
        </Space.Compact>
      </Form.Item>
      <div aria-live="polite" className={styles['sent']}>
        {send.isSuccess ? t('login.codeSent') : null}
        {send.isError ? <FailureNote error={send.error} /> : null}
      </div>
    </>
  )
}
