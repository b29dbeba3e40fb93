import { Alert } from 'antd'
import { useTranslations } from 'use-intl'
import { FailureNote } from '../../ui/failure-note.tsx'

type SignInFailureProps = { failure: unknown; secondsBlocked: number }

/** Why the last try failed; while the server blocks further tries, the time that is left, live. */
export function SignInFailure({ failure, secondsBlocked }: SignInFailureProps) {
  const t = useTranslations('auth.login')
  if (secondsBlocked > 0) {
    const minutes = Math.floor(secondsBlocked / 60)
    const wait =
      minutes > 0 ? t('minutes', { minutes, seconds: secondsBlocked % 60 }) : t('seconds', { count: secondsBlocked })
    return <Alert type="warning" showIcon title={t('blocked', { wait })} />
  }
  if (failure === null) return null
  return typeof failure === 'string' ? <Alert type="error" showIcon title={failure} /> : <FailureNote error={failure} />
}
