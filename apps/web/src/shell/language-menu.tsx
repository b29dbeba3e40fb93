import { GlobalOutlined } from '@ant-design/icons'
import { locales } from '@console/phrases/locales'
import { Button, Dropdown } from 'antd'
import { useTranslations } from 'use-intl'
import { useLocale } from '../app/locale.ts'
import { localeNameKeys } from '../ui/locale-names.ts'
import { switchLocale } from '../ui/switch-locale.ts'
import styles from './shell-header.module.css'

export function LanguageMenu() {
  const t = useTranslations('common')
  const locale = useLocale((state) => state.locale)
  const items = locales.map((item) => ({
    key: item,
    label: <span lang={item}>{t(localeNameKeys[item])}</span>,
    onClick: () => switchLocale(item),
  }))
  return (
    <Dropdown trigger={['click']} menu={{ items, selectable: true, selectedKeys: [locale] }}>
      <Button type="text" icon={<GlobalOutlined />} aria-label={`${t('language')}: ${t('languageName')}`}>
        <span className={styles['languageName']}>{t('languageName')}</span>
      </Button>
    </Dropdown>
  )
}
