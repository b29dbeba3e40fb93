import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { showError, showSuccess } from '../../app/feedback.tsx'
import { copyText } from '../../ui/copy-text.ts'

type CopyButtonProps = { text: string; label: string; children?: ReactNode; disabled?: boolean }

export function CopyButton({ text, label, children, disabled = false }: CopyButtonProps) {
  const t = useTranslations('common')
  const copy = async () => {
    if (await copyText(text)) showSuccess(t('copied'))
    else showError(t('copyFailed'))
  }
  return (
    <Button
      size="small"
      type={children ? 'default' : 'text'}
      icon={<CopyOutlined />}
      aria-label={label}
      disabled={disabled}
      onClick={() => void copy()}
    >
      {children}
    </Button>
  )
}
