import type { CurrentUser } from '@console/contract'
import { readToken } from './credentials.ts'
import { addLog } from './log.ts'
import { loadServerEnvironment } from './server-environment.ts'
import { readStored } from './storage.ts'

/** The partner's external logout address; what it carries already stays. */
export function externalLogoutAddress(answer: { logoutUrl: string; idToken: string; signature: string }): string | null {
  if (!URL.canParse(answer.logoutUrl)) return null
  const url = new URL(answer.logoutUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  url.searchParams.set('id_token_hint', answer.idToken)
  url.searchParams.set('signature', answer.signature)
  return url.href
}

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
