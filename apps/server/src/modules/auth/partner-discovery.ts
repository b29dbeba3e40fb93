import { z } from 'zod'
import { AppError } from '../../http/app-error.ts'
import type { Log } from '../../log.ts'

const keptMs = 60 * 60_000
const answerLimit = 1024 * 1024
const timeoutMs = 10_000

const discovered = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
})
export type Discovered = z.infer<typeof discovered>

/** What the partner says about itself, asked for once an hour. */
export function createDiscovery(log: Log): (issuer: string) => Promise<Discovered> {
  const known = new Map<string, { at: number; found: Promise<Discovered> }>()
  return (issuer) => {
    const entry = known.get(issuer)
    if (entry && Date.now() - entry.at < keptMs) return entry.found
    const found = read(issuer)
    known.set(issuer, { at: Date.now(), found })
    found.catch((error: unknown) => {
      known.delete(issuer)
      log.warn({ err: error, issuer }, 'a partner could not be asked about itself')
    })
    return found
  }
}

async function read(issuer: string): Promise<Discovered> {
  const answer = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {})
  const parsed = discovered.safeParse(answer)
  if (!parsed.success || parsed.data.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
    throw new AppError('auth.partnerUnreachable', { cause: parsed.error })
  }
  return parsed.data
}

/** A refusal of the partner and a partner that does not answer are two different things to the person who waits. */
export async function fetchJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    if (Number(answer.headers.get('content-length') ?? 0) > answerLimit) throw new Error('the answer is too long')
    text = await answer.text()
  } catch (error) {
    throw new AppError('auth.partnerUnreachable', { cause: error })
  }
  if (answer.status >= 500)
    throw new AppError('auth.partnerUnreachable', { cause: new Error(`status ${answer.status}`) })
  if (answer.status === 401) throw new AppError('auth.partnerSessionOver')
  if (!answer.ok)
    throw new AppError('auth.partnerRefused', { cause: new Error(`status ${answer.status}: ${text.slice(0, 500)}`) })
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
    throw new Error('not an object')
  } catch (error) {
    throw new AppError('auth.partnerUnreachable', { cause: error })
  }
}
