import { Button } from 'antd'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { homePath } from '../app/redirect-target.ts'
import { StatusFigure } from './status-figure.tsx'
import { StatusPage } from './status-page.tsx'

type StatusKind = 'forbidden' | 'missing' | 'broken'

function KnownStatusPage({ kind, code }: { kind: StatusKind; code: string }) {
  const t = useTranslations()
  const navigate = useNavigate()
  return (
    <StatusPage
      title={t(`shell.page.${kind}.title`)}
      text={t(`shell.page.${kind}.text`)}
      figure={<StatusFigure code={code} />}
    >
      <Button type="primary" onClick={() => void navigate(homePath)}>
        {t('common.backHome')}
      </Button>
    </StatusPage>
  )
}

export function ForbiddenPage() {
  return <KnownStatusPage kind="forbidden" code="403" />
}

export function MissingPage() {
  return <KnownStatusPage kind="missing" code="404" />
}

export function BrokenPage() {
  return <KnownStatusPage kind="broken" code="500" />
}
