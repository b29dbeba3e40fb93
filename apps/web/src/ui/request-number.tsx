import { CopyOutlined } from '@ant-design/icons'
import { showError, showSuccess } from '../app/feedback.tsx'
import { say } from '../app/locale.ts'
import { copyText } from './copy-text.ts'
import styles from './request-number.module.css'

async function copy(id: string): Promise<void> {
  if (await copyText(id)) showSuccess(say('common.copied'))
  else showError(say('common.copyFailed'))
}

/** What an administrator needs to find the failure in the server's log. It also stands in messages, outside any hook. */
export function RequestNumber({ id }: { id: string }) {
  return (
    <span className={styles['number']}>
      {say('common.requestNumber')} <code>{id}</code>
      <button type="button" aria-label={say('common.copyRequestNumber', { id })} onClick={() => void copy(id)}>
        <CopyOutlined />
      </button>
    </span>
  )
}
