import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { signOut } from '../app/session.ts'

export function LogoutDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations()
  const [open, setOpen] = useState(true)
  const [leaving, setLeaving] = useState(false)
  const leave = () => {
    setLeaving(true)
    void signOut()
  }
  return (
    <Modal
      open={open}
      title={t('shell.logout.title')}
      okText={t('shell.navigation.logout')}
      cancelText={t('common.cancel')}
      confirmLoading={leaving}
      width={420}
      onOk={leave}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p>{t('shell.logout.text')}</p>
    </Modal>
  )
}
