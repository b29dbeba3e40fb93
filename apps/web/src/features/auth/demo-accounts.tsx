import { Button } from 'antd'
import { useTranslations } from 'use-intl'
import styles from './demo-accounts.module.css'

const password = 'Demo-2026!'
const accounts = [
  { role: 'administrator', phone: '13800000001' },
  { role: 'teacher', phone: '13800000002' },
] as const

type DemoAccountsProps = { onChoose: (account: { phone: string; password: string }) => void }

/** Only on a demonstration server, whose accounts are made of invented people. */
export function DemoAccounts({ onChoose }: DemoAccountsProps) {
  const t = useTranslations('auth.demo')
  return (
    <section className={styles['demo']} aria-labelledby="demo-accounts">
      <h2 id="demo-accounts">
        {t('title')}
        <small>{t('hint')}</small>
      </h2>
      <div className={styles['accounts']}>
        {accounts.map(({ role, phone }) => (
          <Button key={role} className={styles['account']} onClick={() => onChoose({ phone, password })}>
            <span>{t(role)}</span> <span className={styles['phone']}>{phone}</span>
          </Button>
        ))}
      </div>
    </section>
  )
}
