import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { homePath } from '../../app/redirect-target.ts'
import { useUser } from '../../app/session.ts'
import { StatusPage } from '../../ui/status-page.tsx'
import styles from './notice.module.css'

export function RegisterResultPage() {
  const t = useTranslations()
  const navigate = useNavigate()
  const user = useUser()
  return (
    <StatusPage
      title={t('auth.registerResult.heading')}
      text={t('auth.registerResult.text', { name: user.name, school: user.schoolName })}
    >
      <p className={styles['text']}>{t('auth.registerResult.next')}</p>
      <Button type="primary" onClick={() => void navigate(homePath)}>
        {t('common.backHome')}
      </Button>
    </StatusPage>
  )
}
