import type { ReactNode } from 'react'
import { useProductName } from '../../app/page-title.tsx'
import { LanguageSwitch } from '../../ui/language-switch.tsx'
import { LogoMark } from '../../ui/logo-mark.tsx'
import { SiteFooter } from '../../ui/site-footer.tsx'
import { ThemeToggle } from '../../ui/theme-toggle.tsx'
import styles from './auth-layout.module.css'
import { BrandPanel } from './brand-panel.tsx'

type AuthLayoutProps = { heading: string; children: ReactNode }

/** Every page before signing in: what the product is on one side, what to do on the other; on a phone only the latter. */
export function AuthLayout({ heading, children }: AuthLayoutProps) {
  const product = useProductName()
  return (
    <div className={styles['layout']}>
      <BrandPanel product={product} />
      <div className={styles['side']}>
        <header className={styles['bar']}>
          <span className={styles['brand']}>
            <LogoMark size={24} />
            {product}
          </span>
          <LanguageSwitch />
          <ThemeToggle />
        </header>
        <main className={styles['main']}>
          <div className={styles['content']}>
            <h1>{heading}</h1>
            {children}
          </div>
        </main>
        <SiteFooter />
      </div>
    </div>
  )
}
