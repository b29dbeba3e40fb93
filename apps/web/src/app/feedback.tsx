import { message } from 'antd'
import { useEffect, type ReactNode } from 'react'

type MessageApi = ReturnType<typeof message.useMessage>[0]

const messageSeconds = 3
let api: MessageApi | null = null

/** Holds antd's messages inside the providers, so that they carry theme and language, and can be called from anywhere. */
export function FeedbackHolder() {
  const [instance, holder] = message.useMessage({ maxCount: 3, duration: messageSeconds })
  useEffect(() => {
    api = instance
    return () => {
      api = null
    }
  }, [instance])
  return holder
}

export function showError(content: ReactNode): void {
  void api?.error(content)
}

export function showSuccess(content: ReactNode): void {
  void api?.success(content)
}

export function showNotice(content: ReactNode): void {
  void api?.info(content)
}
