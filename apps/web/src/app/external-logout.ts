/** The partner's external logout address; what it carries already stays. */
export function externalLogoutAddress(answer: {
  logoutUrl: string
  idToken: string
  signature: string
}): string | null {
  if (!URL.canParse(answer.logoutUrl)) return null
  const url = new URL(answer.logoutUrl)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  url.searchParams.set('id_token_hint', answer.idToken)
  url.searchParams.set('signature', answer.signature)
  return url.href
}
