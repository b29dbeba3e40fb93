import dayjs from 'dayjs'
import { create } from 'zustand'
import { readUserId } from './credentials.ts'

export type LogEntry = {
  id: number
  message: string
  type: 'info' | 'error'
  time: string
  page: string
  uuid: string
}

const keptEntries = 500
const secretParameter = /((?:token|code|idToken|id_token|state|signature|Authorization)=)[^&#\s]+/gi
let lastId = 0

export const useLog = create<{ entries: readonly LogEntry[] }>(() => ({ entries: [] }))

/** The page address may carry a token or a code of a partner: what identifies a person never reaches the log. */
export function maskSecrets(text: string): string {
  return text.replace(secretParameter, '$1***')
}

export function addLog(message: string, type: LogEntry['type'] = 'info'): void {
  lastId += 1
  const entry: LogEntry = {
    id: lastId,
    message: maskSecrets(message),
    type,
    time: dayjs().format('YYYY-MM-DD HH:mm:ss'),
    page: maskSecrets(location.href),
    uuid: readUserId() ?? 'ghost',
  }
  useLog.setState(({ entries }) => ({ entries: [entry, ...entries].slice(0, keptEntries) }))
  console.debug(`[${entry.type}] ${entry.message}`)
}

export function clearLog(): void {
  useLog.setState({ entries: [] })
}
