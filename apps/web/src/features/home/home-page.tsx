import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../app/session.ts'
import styles from './home-page.module.css'
import { OwnClasses } from './own-classes.tsx'
import { PbsPapers } from './pbs-papers.tsx'
import { SignedInDevices } from './signed-in-devices.tsx'
import { Today } from './today.tsx'

type PartOfDay = 'dawn' | 'morning' | 'noon' | 'afternoon' | 'evening'

function partOfDay(hour: number): PartOfDay {
  if (hour < 5) return 'dawn'
  if (hour < 11) return 'morning'
  if (hour < 13) return 'noon'
  return hour < 18 ? 'afternoon' : 'evening'
}

export function HomePage() {
  const t = useTranslations('shell.home')
  const user = useUser()
  const [now] = useState(() => new Date())
  return (
    <main className={styles['page']}>
      <header className={styles['greeting']}>
        <h1>{t(`greeting.${partOfDay(now.getHours())}`, { name: user.name })}</h1>
        <p>
          <span>{user.schoolName}</span>
          {user.isAdmin ? <span>{t('administrator')}</span> : null}
          <Today now={now} />
        </p>
      </header>
      <div className={styles['panels']}>
        <OwnClasses />
        {user.partnerType === 'pbs' ? <PbsPapers /> : null}
        <SignedInDevices />
      </div>
    </main>
  )
}
