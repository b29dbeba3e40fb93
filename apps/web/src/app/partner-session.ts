import type { CurrentUser } from '@console/contract'
import { readToken } from './credentials.ts'
import { addLog } from './log.ts'
import { loadServerEnvironment } from './server-environment.ts'
import { readStored } from './storage.ts'

/** Only for partnerType wfl when the local flag is 2. Whether it succeeds is the partner's matter, never the user's. */
export async function refreshTeacherMessage(user: CurrentUser): Promise<void> {
  if (user.partnerType !== 'wfl' || readStored('wflLogin') !== '2') return
  try {
    const { wflHost } = await loadServerEnvironment()
    const response = await fetch(`${wflHost.replace(/\/+$/, '')}/api/wfl/refreshTeacherMsg`, {
      method: 'POST',
      headers: { Authorization: readToken() ?? '' },
      body: new FormData(),
      signal: AbortSignal.timeout(120_000),
    })
    if (!response.ok) addLog(`refreshTeacherMsg ${response.status}`, 'error')
  } catch (error) {
    addLog(`refreshTeacherMsg ${String(error)}`, 'error')
  }
}
