import type { FormInstance } from 'antd'
import { useEffect, useRef } from 'react'
import { useLocale } from '../app/locale.ts'

/** A field that was found wrong says so in the language just chosen; nothing else is judged. */
export function useErrorsInLanguage(form: FormInstance): void {
  const locale = useLocale((state) => state.locale)
  const shown = useRef(locale)
  useEffect(() => {
    if (shown.current === locale) return
    shown.current = locale
    const wrong = form.getFieldsError().filter(({ errors }) => errors.length > 0)
    if (wrong.length > 0) form.validateFields(wrong.map(({ name }) => name)).catch(() => null)
  }, [form, locale])
}
