import { authLogin, authSmsLogin, CallError, type CurrentUser } from '@console/contract'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { callQuietly } from '../../app/client.ts'
import { goTo } from '../../app/navigation.ts'
import { homePath, safeRedirect } from '../../app/redirect-target.ts'
import { enterSession } from '../../app/session.ts'
import { solveTicket } from './solve-ticket.ts'

export type SignInWay = 'password' | 'sms'
export type SignInValues = { phone: string; password: string; code: string }
export type SignInPhase = 'idle' | 'sending' | 'checking'

const ticketErrors = new Set(['auth.ticketNeeded', 'auth.ticketInvalid'])
const silent = { handlesFailure: true } as const
/** A check may expire while the page was asleep, so one more is solved; after that a person decides. */
const ticketTries = 2

function wantsTicket(error: unknown): boolean {
  return error instanceof CallError && ticketErrors.has(error.details.error)
}

async function passwordSignIn(values: SignInValues, setPhase: (phase: SignInPhase) => void): Promise<CurrentUser> {
  const { phone, password } = values
  let ticket: string | undefined
  for (let tries = 0; ; tries += 1) {
    try {
      return await callQuietly(authLogin, { body: { phone, password, ticket } }, silent)
    } catch (error) {
      if (!wantsTicket(error) || tries >= ticketTries) throw error
      setPhase('checking')
      ticket = await solveTicket()
      setPhase('sending')
    }
  }
}

/** The failure stands at the form until the next try; what was typed stays. */
export function useSignIn(firstFailure: unknown) {
  const [phase, setPhase] = useState<SignInPhase>('idle')
  const [failure, setFailure] = useState<unknown>(firstFailure)
  const [blockedUntil, setBlockedUntil] = useState(0)
  const [search] = useSearchParams()

  const signIn = async (way: SignInWay, values: SignInValues) => {
    setPhase('sending')
    setFailure(null)
    try {
      const { phone, code } = values
      const user =
        way === 'password'
          ? await passwordSignIn(values, setPhase)
          : await callQuietly(authSmsLogin, { body: { phone, code } }, silent)
      await enterSession(user)
      await goTo(safeRedirect(search.get('redirect')) ?? homePath, { replace: true })
    } catch (error) {
      setFailure(error)
      const wait = error instanceof CallError && error.details.error === 'auth.blocked' ? error.details.wait : null
      if (wait) setBlockedUntil(Date.now() + wait)
    } finally {
      setPhase('idle')
    }
  }
  const forgetFailure = () => setFailure(null)
  return { phase, failure, blockedUntil, signIn, forgetFailure }
}
