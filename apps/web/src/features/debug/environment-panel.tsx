import { Button, Form, Input, Radio, type RadioGroupProps } from 'antd'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { clearCredentials } from '../../app/credentials.ts'
import {
  apiAddressOf,
  debugSettingsVersion,
  environmentOptions,
  readDebugSettings,
  writeDebugSettings,
  type DebugSettings,
} from '../../app/environments.ts'
import { Panel } from '../../ui/panel.tsx'
import { ConnectionCheck } from './connection-check.tsx'
import styles from './debug-page.module.css'

type Choice = Omit<DebugSettings, 'version'>

/** Another server knows nothing of this sign-in, and no page may go on speaking to the old one. */
function apply(choice: Choice): void {
  writeDebugSettings({ ...choice, customApi: choice.customApi.trim() })
  clearCredentials()
  location.reload()
}

type EnvironmentChoicesProps = { current: DebugSettings } & Pick<RadioGroupProps, 'id' | 'value' | 'onChange'>

/** The form gives value, id and onChange. */
function EnvironmentChoices({ current, ...field }: EnvironmentChoicesProps) {
  const t = useTranslations('debug.environment')
  return (
    <Radio.Group {...field} className={styles['choices'] ?? ''}>
      {environmentOptions.map(({ value, label }) => {
        const address = apiAddressOf({ ...current, environment: value })
        return (
          <Radio key={value} value={value}>
            {t(label)}
            <span className={styles['address']}>
              {address || (value === 'custom' ? t('noAddress') : t('sameOrigin'))}
            </span>
            {value === current.environment ? <span className={styles['inUse']}>{t('current')}</span> : null}
          </Radio>
        )
      })}
    </Radio.Group>
  )
}

export function EnvironmentPanel() {
  const t = useTranslations('debug.environment')
  const [current] = useState(readDebugSettings)
  const [form] = Form.useForm<Choice>()
  const environment = Form.useWatch('environment', form) ?? current.environment
  const customApi = Form.useWatch('customApi', form) ?? current.customApi
  const address = apiAddressOf({ version: debugSettingsVersion, environment, customApi: customApi.trim() })
  return (
    <Panel title={t('title')} note={t('hint')}>
      <Form
        form={form}
        layout="vertical"
        initialValues={current}
        onFinish={(choice) => apply({ ...current, ...choice })}
      >
        <Form.Item name="environment" noStyle>
          <EnvironmentChoices current={current} />
        </Form.Item>
        {environment === 'custom' ? (
          <Form.Item
            name="customApi"
            label={t('customApi')}
            extra={t('customApiHint')}
            rules={[{ required: true, pattern: /^\s*https?:\/\/[^\s/]+/, message: t('customApiWrong') }]}
          >
            <Input inputMode="url" autoComplete="url" spellCheck={false} />
          </Form.Item>
        ) : null}
        <ConnectionCheck address={address}>
          <Button type="primary" htmlType="submit">
            {t('apply')}
          </Button>
        </ConnectionCheck>
      </Form>
    </Panel>
  )
}
