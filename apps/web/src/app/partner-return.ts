const entrancePages = new Map([
  ['szjx', '/szjxLogin'],
  ['shiWai', '/shiWaiLogin'],
  ['pbs', '/pbsLogin'],
])
const carried: Record<string, string> = {
  code: 'code',
  id_token: 'idToken',
  state: 'state',
  error: 'error',
  error_description: 'errorDescription',
}

/**
 * A partner cannot send the browser to an address behind '#': it returns to /?entrance=shiWai&code=.. or, for an id
 * token, to /?entrance=szjx#id_token=... The hash route that this means, or null for every other address.
 */
export function partnerReturnHash(search: string, hash: string): string | null {
  const query = new URLSearchParams(search)
  const page = entrancePages.get(query.get('entrance') ?? '')
  if (!page) return null
  const fragment = new URLSearchParams(hash.startsWith('#/') ? '' : hash.slice(1))
  const params = new URLSearchParams()
  for (const [name, own] of Object.entries(carried)) {
    const value = query.get(name) ?? fragment.get(name)
    if (value !== null) params.set(own, value)
  }
  return params.size > 0 ? `#${page}?${params}` : `#${page}`
}

/** Before the router starts, so that code and token never stand in the history. */
export function rewritePartnerReturn(): void {
  const hash = partnerReturnHash(location.search, location.hash)
  if (hash) history.replaceState(null, '', `${location.pathname}${hash}`)
}
