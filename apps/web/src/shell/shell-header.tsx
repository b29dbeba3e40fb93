import type { CurrentUser } from '@console/contract'
import { Link } from 'react-router'
import { goTo } from '../app/navigation.ts'
import { useProductName } from '../app/page-title.tsx'
import { homePath } from '../app/redirect-target.ts'
import { LanguageMenu } from './language-menu.tsx'
import { LogoMark } from '../ui/logo-mark.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import styles from './shell-header.module.css'
import { useQuickClicks } from './use-quick-clicks.ts'
import { UserMenu } from './user-menu.tsx'

export function ShellHeader({ user }: { user: CurrentUser }) {
  const product = useProductName()
  const onLogoClick = useQuickClicks(() => void goTo('/__debug'))
  return (
    <header className={styles['header']}>
      <Link to={homePath} className={styles['brand']} onClick={onLogoClick}>
        <LogoMark size={24} />
        <span>{product}</span>
      </Link>
      <div className={styles['actions']}>
        <LanguageMenu />
        <ThemeToggle />
        <UserMenu user={user} />
      </div>
    </header>
  )
}
