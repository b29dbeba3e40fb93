import { pbsPaperList, pbsRefreshMessage, type DataOf } from '@console/contract'
import { ReloadOutlined } from '@ant-design/icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import { call } from '../../app/client.ts'
import { showSuccess } from '../../app/feedback.tsx'
import { renameUser } from '../../app/session.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import styles from './pbs-papers.module.css'

type Paper = DataOf<typeof pbsPaperList>[number]

function PaperRow({ paper }: { paper: Paper }) {
  if (!paper.url) return <li>{paper.title}</li>
  return (
    <li>
      <a href={paper.url} target="_blank" rel="noreferrer">
        {paper.title}
      </a>
    </li>
  )
}

/** For whoever came in through pbs: what the partner offers, and their name as it stands there. */
export function PbsPapers() {
  const t = useTranslations('shell.home.pbs')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['pbs', 'pbsPaperList'],
    queryFn: ({ signal }) => call(pbsPaperList, {}, { signal, handlesFailure: true }),
  })
  const refresh = useMutation({
    mutationFn: () => call(pbsRefreshMessage),
    onSuccess: ({ name }) => {
      renameUser(name)
      showSuccess(t('refreshed', { name }))
    },
  })
  return (
    <Panel title={t('title')}>
      {data && data.length > 0 ? (
        <ul className={styles['papers']}>
          {data.map((paper) => (
            <PaperRow key={paper.id} paper={paper} />
          ))}
        </ul>
      ) : null}
      {data?.length === 0 ? <EmptyNote title={t('none')}>{t('noneAction')}</EmptyNote> : null}
      {error ? <FailureNote error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {data === undefined && !error ? <SkeletonLines rows={3} /> : null}
      <p className={styles['refresh']}>
        <Button size="small" icon={<ReloadOutlined />} loading={refresh.isPending} onClick={() => refresh.mutate()}>
          {t('refresh')}
        </Button>
      </p>
    </Panel>
  )
}
