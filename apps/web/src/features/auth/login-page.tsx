import { useLoaderData } from 'react-router'
import { useTranslations } from 'use-intl'
import type { HandedTokenAnswer } from '../../app/handed-token.ts'
import { useServerEnvironment } from '../../app/server-environment.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { AuthLayout } from './auth-layout.tsx'
import { EntranceLinks } from './entrance-links.tsx'
import { LoginForm } from './login-form.tsx'

export function LoginPage() {
  const t = useTranslations('auth.login')
  const { refused } = useLoaderData<HandedTokenAnswer>()
  const environment = useServerEnvironment()
  return (
    <AuthLayout heading={t('heading')}>
      {environment.isError ? (
        <FailureNote
          error={environment.error}
          onRetry={() => void environment.refetch()}
          retrying={environment.isFetching}
        />
      ) : null}
      <LoginForm refused={refused ? t('tokenRefused') : null} />
      <EntranceLinks />
    </AuthLayout>
  )
}
