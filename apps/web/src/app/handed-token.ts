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

/** A token in the address is taken out of it before anything else happens, and whoever came with it goes in. */
async function takeToken(request: Request): Promise<HandedTokenAnswer> {
  const url = new URL(request.url)
  const token = url.searchParams.get('token')
  if (!token) return { refused: null }
  dropTokenFromAddress(url)
  try {
    await enterByToken(token)
  } catch (error) {
    return { refused: failureText(error) }
  }
  throw replace(safeRedirect(url.searchParams.get('redirect')) ?? homePath)
}

export async function loginLoader({ request }: LoaderFunctionArgs): Promise<HandedTokenAnswer> {
  const answer = await takeToken(request)
  if (!answer.refused && readToken()) {
    throw replace(safeRedirect(new URL(request.url).searchParams.get('redirect')) ?? homePath)
  }
  return answer
}

/** The flag says that this browser came in through the entrance of wfl, which asks for its teacher message then. */
export async function wflLoader({ request }: LoaderFunctionArgs): Promise<HandedTokenAnswer> {
  if (new URL(request.url).searchParams.has('token')) writeStored('wflLogin', '2')
  return takeToken(request)
}
