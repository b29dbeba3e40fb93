import { Outlet, useNavigation } from 'react-router'
import { PageTitle } from './page-title.tsx'
import styles from './root.module.css'

export function Root() {
  const isLoading = useNavigation().state !== 'idle'
  return (
    <>
      <PageTitle />
      <div className={styles['progress']} data-loading={isLoading} aria-hidden="true" />
      <Outlet />
    </>
  )
}
