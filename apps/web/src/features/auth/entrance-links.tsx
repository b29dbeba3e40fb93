import type { PartnerType } from '@console/contract'
import { Link, useSearchParams } from 'react-router'
import { useTranslations } from 'use-intl'
import { safeRedirect } from '../../app/redirect-target.ts'
import { useServerEnvironment } from '../../app/server-environment.ts'
import styles from './entrance-links.module.css'

const paths: Record<PartnerType, string> = {
  szjx: '/szjxLogin',
  shiWai: '/shiWaiLogin',
  pbs: '/pbsLogin',
  wfl: '/wflLogin',
}

/** The entrances of partners that this server has, and the way to an account for whoever has none. */
export function EntranceLinks() {
  const t = useTranslations('auth')
  const [search] = useSearchParams()
  const { data: environment } = useServerEnvironment()
  const redirect = safeRedirect(search.get('redirect'))
  const query = redirect ? `?redirect=${encodeURIComponent(redirect)}` : ''
  const entrances = environment?.entrances ?? []
  return (
    <>
      {entrances.length > 0 ? (
        <nav className={styles['entrances']} aria-labelledby="entrances">
          <h2 id="entrances">{t('login.otherWays')}</h2>
          <ul>
            {entrances.map((entrance) => (
              <li key={entrance}>
                <Link to={paths[entrance] + query}>{t(`partner.names.${entrance}`)}</Link>
              </li>
            ))}
          </ul>
        </nav>
      ) : null}
      <p className={styles['register']}>
        {t('login.register')} <Link to="/register">{t('register.title')}</Link>
      </p>
    </>
  )
}
