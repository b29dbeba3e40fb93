import { authPartnerBegin, authPbsLogin, authShiWaiLogin, authSzjxLogin, type CurrentUser } from '@console/contract'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../app/client.ts'
import { goTo } from '../../app/navigation.ts'
import { homePath, safeRedirect } from '../../app/redirect-target.ts'
import { enterSession } from '../../app/session.ts'
import { partnerArrival, type PartnerArrival } from './partner-arrival.ts'
import { forgetPartnerState, readPartnerState, rememberPartnerState } from './partner-state.ts'

export type Partner = 'szjx' | 'shiWai' | 'pbs'

export type PartnerStep =
  | { kind: 'preparing' | 'signingIn' | 'stateMismatch' }
  | { kind: 'going'; url: string }
  | { kind: 'returnedError'; code: string }
  | { kind: 'failed'; error: unknown }

const silent = { handlesFailure: true } as const

type Credentials = Extract<PartnerArrival, { kind: 'credentials' }>

function signInAt(partner: Partner, { code, idToken, state }: Credentials): Promise<CurrentUser> {
  if (partner === 'szjx') return call(authSzjxLogin, { body: { idToken, code: code || undefined, state } }, silent)
  const endpoint = partner === 'pbs' ? authPbsLogin : authShiWaiLogin
  return call(endpoint, { body: { code, state } }, silent)
}

/** Away to the partner. */
async function begin(partner: Partner, redirect: string | null): Promise<PartnerStep> {
  try {
    const { url, state } = await call(authPartnerBegin, { params: { partner } }, silent)
    rememberPartnerState(partner, { state, redirect })
    // Replaced, not pushed: going back from the partner must not send the browser there again.
    location.replace(url)
    return { kind: 'going', url }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** Back from it. What was remembered counts once, like the code. */
async function finish(partner: Partner, credentials: Credentials): Promise<PartnerStep> {
  const redirect = safeRedirect(readPartnerState(partner)?.redirect ?? null)
  forgetPartnerState(partner)
  try {
    await enterSession(await signInAt(partner, credentials))
    await goTo(redirect ?? homePath, { replace: true })
    return { kind: 'signingIn' }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

/** The address says whether the browser is on its way to the partner or back. */
export function usePartnerSignIn(partner: Partner) {
  const [search] = useSearchParams()
  const [arrival] = useState(() => partnerArrival(search, readPartnerState(partner)?.state ?? null))
  const [step, setStep] = useState<PartnerStep>(() => firstStep(arrival))
  const started = useRef(false)
  const redirect = safeRedirect(search.get('redirect'))

  useEffect(() => {
    // A code can be used once, and an effect may run twice.
    if (started.current) return
    started.current = true
    if (arrival.kind === 'none') void begin(partner, redirect).then(setStep)
    if (arrival.kind === 'credentials') void finish(partner, arrival).then(setStep)
  }, [partner, arrival, redirect])

  const retry = () => {
    setStep({ kind: 'preparing' })
    void begin(partner, redirect).then(setStep)
  }
  return { step, retry }
}

function firstStep(arrival: PartnerArrival): PartnerStep {
  if (arrival.kind === 'credentials') return { kind: 'signingIn' }
  if (arrival.kind === 'error') return { kind: 'returnedError', code: arrival.code }
  return arrival.kind === 'stateMismatch' ? { kind: 'stateMismatch' } : { kind: 'preparing' }
}
