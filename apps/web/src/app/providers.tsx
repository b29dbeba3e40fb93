import { QueryClientProvider } from '@tanstack/react-query'
import { ConfigProvider } from 'antd'
import { useMemo, type ReactNode } from 'react'
import { IntlProvider } from 'use-intl'
import { useAppearance } from './appearance.ts'
import { FeedbackHolder } from './feedback.tsx'
import { useLocale } from './locale.ts'
import { queryClient } from './query-client.ts'
import { themeFor } from './theme.ts'

/** Language and appearance are values that flow down: changing one never remounts what is below. */
export function Providers({ children }: { children: ReactNode }) {
  const { locale, bundle } = useLocale()
  const isDark = useAppearance((state) => state.isDark)
  const reducedMotion = useAppearance((state) => state.reducedMotion)
  const theme = useMemo(() => themeFor(isDark, reducedMotion), [isDark, reducedMotion])
  if (!bundle) return null
  return (
    <IntlProvider locale={locale} messages={bundle.phrases} timeZone="Asia/Shanghai">
      <ConfigProvider locale={bundle.antd} theme={theme} button={{ autoInsertSpace: false }}>
        <QueryClientProvider client={queryClient}>
          {children}
          <FeedbackHolder />
        </QueryClientProvider>
      </ConfigProvider>
    </IntlProvider>
  )
}
