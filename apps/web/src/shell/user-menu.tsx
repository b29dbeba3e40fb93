import { DownOutlined, HomeOutlined, LockOutlined, LogoutOutlined } from '@ant-design/icons'
import type { CurrentUser } from '@console/contract'
import { Button, Dropdown } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { loadChunk } from '../app/chunk.ts'
import { homePath } from '../app/redirect-target.ts'
import { signOut } from '../app/session.ts'
import { readSettings } from '../app/settings.ts'
import styles from './shell-header.module.css'

const ChangePasswordDialog = lazy(async () => {
  const { ChangePasswordDialog: component } = await loadChunk(
    () => import('../features/auth/change-password-dialog.tsx'),
  )
  return { default: component }
})
const LogoutDialog = lazy(async () => {
  const { LogoutDialog: component } = await loadChunk(() => import('./logout-dialog.tsx'))
  return { default: component }
})

type OpenDialog = 'none' | 'changePassword' | 'logout'

function Portrait({ user }: { user: CurrentUser }) {
  if (user.avatar) return <img className={styles['portrait']} src={user.avatar} alt="" />
  return <span className={styles['initial']} data-initial={Array.from(user.name)[0]} aria-hidden="true" />
}

export function UserMenu({ user }: { user: CurrentUser }) {
  const t = useTranslations('shell.navigation')
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>('none')
  const trigger = useRef<HTMLButtonElement>(null)
  // The entry of the menu that opened the dialog is gone by now, so the menu's own button takes the focus back.
  const close = () => {
    setDialog('none')
    trigger.current?.focus()
  }
  const logout = () => {
    if (readSettings().logoutConfirmation) setDialog('logout')
    else void signOut()
  }
  const actions: Record<string, () => void> = {
    home: () => void navigate(homePath),
    changePassword: () => setDialog('changePassword'),
    logout,
  }
  const items = [
    { key: 'home', icon: <HomeOutlined />, label: t('myHome') },
    { key: 'changePassword', icon: <LockOutlined />, label: t('changePassword') },
    { type: 'divider' as const },
    { key: 'logout', icon: <LogoutOutlined />, label: t('logout') },
  ]
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, onClick: ({ key }) => actions[key]?.() }}>
        <Button ref={trigger} type="text" aria-label={t('userMenu', { name: user.name })}>
          <Portrait user={user} />
          <span className={styles['userName']}>{user.name}</span>
          <DownOutlined />
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {dialog === 'changePassword' ? <ChangePasswordDialog onClose={close} /> : null}
        {dialog === 'logout' ? <LogoutDialog onClose={close} /> : null}
      </Suspense>
    </>
  )
}
