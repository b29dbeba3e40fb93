import { authSessionEnd } from '@console/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Modal } from 'antd'
import { useTranslations } from 'use-intl'
import { call } from '../../app/client.ts'
import { showSuccess } from '../../app/feedback.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'

type EndSessionDialogProps = { id: string; device: string; onClose: () => void }

export function EndSessionDialog({ id, device, onClose }: EndSessionDialogProps) {
  const t = useTranslations()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => call(authSessionEnd, { params: { id } }, { handlesFailure: true }),
    onSuccess: () => {
      showSuccess(t('shell.home.devices.ended'))
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['auth', 'sessions'] }),
  })
  return (
    <Modal
      open
      title={t('shell.home.devices.endTitle')}
      okText={t('shell.home.devices.end')}
      okButtonProps={{ danger: true }}
      cancelText={t('common.cancel')}
      confirmLoading={end.isPending}
      width={420}
      onOk={() => end.mutate()}
      onCancel={onClose}
    >
      <p>{t('shell.home.devices.endText', { device })}</p>
      {end.isError ? <FailureNote error={end.error} /> : null}
    </Modal>
  )
}
