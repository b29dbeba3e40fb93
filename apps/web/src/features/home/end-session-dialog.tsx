import { authSessionEnd } from '@console/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '../../app/client.ts'
import { showSuccess } from '../../app/feedback.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'

type EndSessionDialogProps = { id: string; device: string; onClose: () => void }

export function EndSessionDialog({ id, device, onClose }: EndSessionDialogProps) {
  const t = useTranslations()
  const [open, setOpen] = useState(true)
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => call(authSessionEnd, { params: { id } }, { handlesFailure: true }),
    onSuccess: () => {
      showSuccess(t('shell.home.devices.ended'))
      setOpen(false)
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['auth', 'sessions'] }),
  })
  return (
    <Modal
      open={open}
      title={t('shell.home.devices.endTitle')}
      okText={t('shell.home.devices.end')}
      okButtonProps={{ danger: true }}
      cancelText={t('common.cancel')}
      confirmLoading={end.isPending}
      width={420}
      onOk={() => end.mutate()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <p>{t('shell.home.devices.endText', { device })}</p>
      {end.isError ? <FailureNote error={end.error} /> : null}
    </Modal>
  )
}
