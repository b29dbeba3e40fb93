import { LinkOutlined } from '@ant-design/icons'
import { useTranslations } from 'use-intl'
import { StatusPage } from './status-page.tsx'
import styles from './signed-link-notice.module.css'

type SignedLinkNoticeProps = { page: 'errorPrint' | 'topicPrint' | 'composition' }

/** For public pages that are opened by a signed link, when there is none: what the page is for, and where a link comes from. */
export function SignedLinkNotice({ page }: SignedLinkNoticeProps) {
  const t = useTranslations('shell.signedLink')
  return (
    <StatusPage
      title={t('missingTitle')}
      text={t(`${page}.about`)}
      figure={
        <p className={styles['kind']}>
          <LinkOutlined /> {t(`${page}.title`)}
        </p>
      }
    >
      <p className={styles['note']}>
        {t('missingText')}
        <br />
        {t('how')}
      </p>
    </StatusPage>
  )
}
