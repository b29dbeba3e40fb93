import { authLogout, authSzjxLogout, CallError, userCurrent, type CurrentUser } from '@console/contract'
import { create } from 'zustand'
import { onSessionOver } from './call-policy.tsx'
import { callQuietly } from './client.ts'
import { clearCredentials, readToken, saveToken, saveUserId, tokenKey } from './credentials.ts'
import { showNotice } from './feedback.tsx'
import { adoptUserLocale, say } from './locale.ts'
import { externalLogoutAddress } from './external-logout.ts'
import { addLog } from './log.ts'
import { currentPath, goTo } from './navigation.ts'
import { refreshTeacherMessage } from './partner-session.ts'
import { queryClient } from './query-client.ts'
import { homePath, loginAddress, loginPath } from './redirect-target.ts'
import type * as SocketModule from './socket.ts'
import { ownKey, readStoredJson } from './storage.ts'

type SessionState = { user: CurrentUser | null; tabs: readonly unknown[] }

export const useSession = create<SessionState>(() => ({ user: null, tabs: [] }))

let loading: Promise<CurrentUser> | null = null
let leaving = false
let signingOut = false

/** The profile of whoever is signed in; only for components inside the guard. */
export function useUser(): CurrentUser {
  const user = useSession((state) => state.user)
  if (!user) throw new Error('useUser is for pages behind the guard')
  return user
}

/** The partner knows the name better: what it says holds here at once. */
export function renameUser(name: string): void {
  useSession.setState(({ user }) => ({ user: user && { ...user, name } }))
}

/** After any login: credentials first, then user data and opened tabs, the profile last. */
export async function enterSession(user: CurrentUser): Promise<void> {
  saveToken(user.token)
  saveUserId(user.userId)
  await adoptUserLocale(user.userId)
  const tabs = readStoredJson(ownKey('tabs', user.userId))
  useSession.setState({ user, tabs: Array.isArray(tabs) ? tabs : [] })
  void refreshTeacherMessage(user)
  void startSocket().catch((error: unknown) => addLog(`SOCKET ${String(error)}`, 'error'))
}

async function fetchSession(): Promise<CurrentUser> {
  const user = await callQuietly(userCurrent, {}, { handlesFailure: true })
  await enterSession(user)
  return user
}

/** Once per session, however many navigations ask at the same time. */
export async function loadSession(): Promise<CurrentUser> {
  const { user } = useSession.getState()
  if (user) return user
  loading ??= fetchSession().finally(() => {
    loading = null
  })
  return loading
}

/** A token handed over by a partner: saved, then the user that it belongs to is fetched and set. */
export async function enterByToken(token: string): Promise<void> {
  forgetSession()
  saveToken(token)
  try {
    await loadSession()
  } catch (error) {
    clearCredentials()
    throw error
  }
}

function forgetCredentials(): void {
  clearCredentials()
  void stopSocket()
}

function forgetProfile(): void {
  useSession.setState({ user: null, tabs: [] })
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'environment' })
}

export function forgetSession(): void {
  forgetCredentials()
  forgetProfile()
}

/** Credentials go at once; the profile stays until the page that shows it has gone. A burst of failures leaves once. */
async function leave(target: string): Promise<void> {
  forgetCredentials()
  if (leaving) return
  leaving = true
  try {
    await queryClient.cancelQueries()
    if (currentPath().split('?')[0] !== loginPath) await goTo(target, { replace: true })
  } finally {
    forgetProfile()
    leaving = false
  }
}

export type SessionEndReason = 'revoked' | 'disabled' | 'password' | 'expired'

async function endSession(reason: SessionEndReason): Promise<void> {
  // Whoever signs out is told that the session ended, like every other window: here it is no news.
  if (leaving || signingOut || !readToken()) return
  showNotice(say(`shell.sessionEnded.${reason}`))
  await leave(loginAddress(currentPath()))
}

/** A partner's entrance has nobody to sign out and no page to come back to, yet it goes to login. */
async function endPartnerSession(): Promise<void> {
  await leave(readToken() ? loginAddress(currentPath()) : loginPath)
}

/** Ending the session at the partner comes first: its answer needs the token. */
async function leaveSzjx(): Promise<string | null> {
  const answer = await callQuietly(authSzjxLogout, { body: {} }, { handlesFailure: true })
  return externalLogoutAddress(answer)
}

export async function signOut(): Promise<void> {
  let external: string | null = null
  signingOut = true
  try {
    if (useSession.getState().user?.partnerType === 'szjx') external = await leaveSzjx()
    else await callQuietly(authLogout, {}, { handlesFailure: true })
  } catch (error) {
    // A server that cannot be reached must not keep anybody signed in on this screen.
    addLog(error instanceof CallError ? error.message : String(error), 'error')
  }
  if (external) {
    forgetCredentials()
    location.assign(external)
    return
  }
  await leave(loginPath)
  signingOut = false
}

let socketModule: Promise<typeof SocketModule> | null = null

/** Loaded after signing in, for it is no part of the first load. */
async function startSocket(): Promise<void> {
  const token = readToken()
  if (!token || window.top !== window.self) return
  socketModule ??= import('./socket.ts')
  const { connectSocket } = await socketModule
  if (readToken() === token) connectSocket(token, (reason) => void endSession(reason))
}

async function stopSocket(): Promise<void> {
  const { disconnectSocket } = (await socketModule) ?? {}
  disconnectSocket?.()
}

/** Signing out or in in another tab of the browser holds here too. */
function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== tokenKey || event.newValue === event.oldValue) return
    const { user } = useSession.getState()
    if (event.newValue === null && user) void leave(loginPath)
    if (event.newValue !== null && event.newValue !== user?.token) location.assign(`${location.pathname}#${homePath}`)
  })
}

export function startSession(): void {
  onSessionOver((whose) => {
    if (whose === 'partner-over') void endPartnerSession()
    else void endSession('expired')
  })
  followOtherTabs()
}
