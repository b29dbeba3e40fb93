import { userClassGroup, type DataOf } from '@console/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { call } from '../../app/client.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Panel } from '../../ui/panel.tsx'
import { SkeletonLines } from '../../ui/skeleton-lines.tsx'
import styles from './own-classes.module.css'

type ClassGroup = DataOf<typeof userClassGroup>[number]

function bySubject(groups: readonly ClassGroup[]) {
  return [...Map.groupBy(groups, (group) => group.subjectId).values()].flatMap((grades) =>
    grades[0] ? [{ id: grades[0].subjectId, name: grades[0].subjectName, grades }] : [],
  )
}

function ClassList({ groups }: { groups: readonly ClassGroup[] }) {
  return (
    <dl className={styles['subjects']}>
      {bySubject(groups).map((subject) => (
        <div key={subject.id}>
          <dt>{subject.name}</dt>
          {subject.grades.map((grade) => (
            <dd key={grade.gradeId}>
              <span className={styles['grade']}>{grade.gradeName}</span>
              <ul>
                {grade.classes.map((item) => (
                  <li key={item.id}>{item.name}</li>
                ))}
              </ul>
            </dd>
          ))}
        </div>
      ))}
    </dl>
  )
}

export function OwnClasses() {
  const t = useTranslations('shell.home.classes')
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['user', 'userClassGroupBySAG'],
    queryFn: ({ signal }) => call(userClassGroup, {}, { signal, handlesFailure: true }),
  })
  const classes = new Set(data?.flatMap((group) => group.classes.map((item) => item.id))).size
  const subjects = new Set(data?.map((group) => group.subjectId)).size
  return (
    <Panel title={t('title')} note={classes > 0 ? t('summary', { classes, subjects }) : null}>
      {data && data.length > 0 ? <ClassList groups={data} /> : null}
      {data?.length === 0 ? <EmptyNote title={t('none')}>{t('noneAction')}</EmptyNote> : null}
      {error ? <FailureNote error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {data === undefined && !error ? <SkeletonLines rows={3} /> : null}
    </Panel>
  )
}
