export type PartnerArrival =
  | { kind: 'none' | 'stateMismatch' }
  | { kind: 'error'; code: string }
  | { kind: 'credentials'; code: string; idToken: string; state: string | undefined }

/** What the address of an entrance says. A state that this browser did not begin with may be somebody else's sign-in. */
export function partnerArrival(search: URLSearchParams, remembered: string | null): PartnerArrival {
  const error = search.get('error')
  if (error) return { kind: 'error', code: error }
  const code = search.get('code') ?? ''
  const idToken = search.get('idToken') ?? ''
  if (!code && !idToken) return { kind: 'none' }
  const state = search.get('state') ?? undefined
  if (remembered !== null && remembered !== state) return { kind: 'stateMismatch' }
  return { kind: 'credentials', code, idToken, state }
}
