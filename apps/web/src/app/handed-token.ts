import { replace, type LoaderFunctionArgs } from 'react-router'
import { readToken } from './credentials.ts'
import { failureText } from './failure-text.ts'
import { homePath, safeRedirect } from './redirect-target.ts'
import { enterByToken } from './session.ts'
import { writeStored } from './storage.ts'

export type HandedTokenAnswer = { refused: string | null }

function dropTokenFromAddress(url: URL): void {
  url.searchParams.delete('token')
  const rest = url.searchParams.toString()
  history.replaceState(history.state, '', `${location.pathname}#${url.pathname}${rest ? `?${rest}` : ''}`)
}

function intended(url: URL): Response {
  return replace(safeRedirect(url.searchParams.get('redirect')) ?? homePath)
}

/** A token in the address is taken out of it before anything else happens, and whoever came with it goes in. */
async function takeToken(url: URL): Promise<HandedTokenAnswer | Response> {
  const token = url.searchParams.get('token')
  if (!token) return { refused: null }
  dropTokenFromAddress(url)
  try {
    await enterByToken(token)
    return intended(url)
  } catch (error) {
    return { refused: failureText(error) }
  }
}

/** Somebody who is signed in already has nothing to do on the login page. */
export async function loginLoader({ request }: LoaderFunctionArgs): Promise<HandedTokenAnswer | Response> {
  const url = new URL(request.url)
  return readToken() && !url.searchParams.has('token') ? intended(url) : takeToken(url)
}

/** The flag says that this browser came in through the entrance of wfl, which asks for its teacher message then. */
export async function wflLoader({ request }: LoaderFunctionArgs): Promise<HandedTokenAnswer | Response> {
  const url = new URL(request.url)
  if (url.searchParams.has('token')) writeStored('wflLogin', '2')
  return takeToken(url)
}
