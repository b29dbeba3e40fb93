import { GlobalOutlined } from '@ant-design/icons'
import { locales, type Locale } from '@console/phrases/locales'
import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import { useLocale } from '../app/locale.ts'
import { localeNameKeys } from './locale-names.ts'
import { switchLocale } from './switch-locale.ts'

function otherThan(locale: Locale): Locale {
  return locales.find((item) => item !== locale) ?? locale
}

/** Before signing in, where a menu would cost more than the two languages that are in it. */
export function LanguageSwitch() {
  const t = useTranslations('common')
  const other = otherThan(useLocale((state) => state.locale))
  return (
    <Button type="text" icon={<GlobalOutlined />} lang={other} onClick={() => switchLocale(other)}>
      {t(localeNameKeys[other])}
    </Button>
  )
}
