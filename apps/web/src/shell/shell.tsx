import { Outlet } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSession } from '../app/session.ts'
import { SiteFooter } from '../ui/site-footer.tsx'
import { ShellHeader } from './shell-header.tsx'
import styles from './shell.module.css'

/** Everything around the pages of somebody who is signed in. */
export function Shell() {
  const t = useTranslations('common')
  const user = useSession((state) => state.user)
  // Between signing out and the login page nobody is there to show anything to.
  if (!user) return null
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content" onClick={focusContent}>
        {t('skipToContent')}
      </a>
      <ShellHeader user={user} />
      <div id="content" tabIndex={-1} className={styles['content']}>
        <Outlet />
      </div>
      <SiteFooter />
    </div>
  )
}

/** The address after '#' is the router's, so the jump is made by hand. */
function focusContent(event: { preventDefault: () => void }): void {
  event.preventDefault()
  document.getElementById('content')?.focus()
}
