import { authResetPassword, CallError } from '@console/contract'
import { useMutation } from '@tanstack/react-query'
import { Form, Input, Modal, type FormInstance, type FormRule } from 'antd'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { call } from '../../app/client.ts'
import { showSuccess } from '../../app/feedback.tsx'
import { useUser } from '../../app/session.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { useErrorsInLanguage } from '../../ui/use-errors-in-language.ts'
import { isStrongPassword } from './password-rule.ts'

type Values = { oldPassword: string; newPassword: string; repeated: string }

const fieldNames: readonly (keyof Values)[] = ['oldPassword', 'newPassword']

/** What the server refused at one of the fields; null when its answer is about none. */
function refusedField(error: unknown): { name: keyof Values; text: string } | null {
  const problem = error instanceof CallError ? error.details.fields[0] : undefined
  const name = fieldNames.find((known) => known === problem?.path)
  return name && problem ? { name, text: problem.msg } : null
}

function useRules(form: FormInstance<Values>): Record<keyof Values, FormRule[]> {
  const t = useTranslations('auth.changePassword')
  const when = (holds: (value: string) => boolean, message: string): FormRule => ({
    validator: (_, value: string) => (!value || holds(value) ? Promise.resolve() : Promise.reject(new Error(message))),
  })
  return {
    oldPassword: [{ required: true, message: t('oldRequired') }],
    newPassword: [
      { required: true, message: t('newRequired') },
      when(isStrongPassword, t('weak')),
      when((value) => value !== form.getFieldValue('oldPassword'), t('same')),
    ],
    repeated: [
      { required: true, message: t('repeatRequired') },
      when((value) => value === form.getFieldValue('newPassword'), t('different')),
    ],
  }
}

function PasswordFields({ form }: { form: FormInstance<Values> }) {
  const t = useTranslations('auth.changePassword')
  const { phone, name } = useUser()
  const rules = useRules(form)
  return (
    <>
      <input type="text" autoComplete="username" value={phone ?? name} readOnly hidden />
      <Form.Item name="oldPassword" label={t('old')} rules={rules.oldPassword}>
        <Input.Password autoComplete="current-password" maxLength={128} autoFocus />
      </Form.Item>
      <Form.Item
        name="newPassword"
        label={t('new')}
        rules={rules.newPassword}
        extra={t('rule')}
        validateTrigger="onBlur"
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        name="repeated"
        label={t('repeat')}
        rules={rules.repeated}
        dependencies={['newPassword']}
        validateTrigger="onBlur"
      >
        <Input.Password autoComplete="new-password" maxLength={128} />
      </Form.Item>
    </>
  )
}

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations()
  const [form] = Form.useForm<Values>()
  const [open, setOpen] = useState(true)
  useErrorsInLanguage(form)
  const change = useMutation({
    mutationFn: ({ oldPassword, newPassword }: Values) =>
      call(authResetPassword, { body: { oldPassword, newPassword } }, { handlesFailure: true }),
    onSuccess: () => {
      showSuccess(t('auth.changePassword.done'))
      setOpen(false)
    },
    onError: (error) => {
      const refused = refusedField(error)
      if (!refused) return
      form.setFields([{ name: refused.name, errors: [refused.text] }])
      form.getFieldInstance(refused.name)?.focus()
    },
  })
  return (
    <Modal
      open={open}
      title={t('auth.changePassword.title')}
      okText={t('auth.changePassword.submit')}
      cancelText={t('common.cancel')}
      confirmLoading={change.isPending}
      mask={{ closable: false }}
      width={440}
      onOk={form.submit}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      // Without motion antd gives the focus to its close button, and Enter would end what has not begun.
      afterOpenChange={(isOpen) => isOpen && form.getFieldInstance('oldPassword')?.focus()}
    >
      <Form
        form={form}
        name="change-password"
        layout="vertical"
        requiredMark={false}
        onFinish={(values) => change.mutate(values)}
      >
        <PasswordFields form={form} />
        {change.isError && !refusedField(change.error) ? <FailureNote error={change.error} /> : null}
        <button type="submit" hidden />
      </Form>
    </Modal>
  )
}
