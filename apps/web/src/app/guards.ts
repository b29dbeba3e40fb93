import { CallError } from '@console/contract'
import { redirect, type MiddlewareFunction } from 'react-router'
import { judgeFailure } from './call-judgement.ts'
import { readToken } from './credentials.ts'
import { loginAddress } from './redirect-target.ts'
import { forgetSession, loadSession } from './session.ts'

function intendedPath(request: Request): string {
  const url = new URL(request.url)
  return url.pathname + url.search
}

function sendToLogin(request: Request): never {
  // oxlint-disable-next-line typescript/only-throw-error -- react-router takes a redirect from a middleware only so
  throw redirect(loginAddress(intendedPath(request)))
}

/** Runs before each navigation to a page that needs auth; the profile is fetched once per session. */
export const requireSession: MiddlewareFunction = async ({ request }) => {
  if (!readToken()) sendToLogin(request)
  try {
    await loadSession()
  } catch (error) {
    if (!(error instanceof CallError) || judgeFailure(error.details) !== 'session-over') throw error
    forgetSession()
    sendToLogin(request)
  }
}
