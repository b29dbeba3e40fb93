import { MoonOutlined, SunOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import { toggleAppearance, useAppearance } from '../app/appearance.ts'

export function ThemeToggle() {
  const t = useTranslations('common.theme')
  const isDark = useAppearance((state) => state.isDark)
  const label = isDark ? t('toLight') : t('toDark')
  return (
    <Button
      type="text"
      icon={isDark ? <SunOutlined /> : <MoonOutlined />}
      aria-label={label}
      title={label}
      onClick={toggleAppearance}
    />
  )
}
