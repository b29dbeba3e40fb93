import { expect, test } from 'vitest'
import { externalLogoutAddress } from './external-logout.ts'

const answer = (logoutUrl: string) => ({ logoutUrl, idToken: 'h.p.s', signature: 'a+b/c=' })

test('SE-04 identity token and signature are added to what the address carries already', () => {
  const address = externalLogoutAddress(answer('https://partner.example/logout?client=console'))
  const url = new URL(address ?? '')
  expect(url.origin + url.pathname).toBe('https://partner.example/logout')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client: 'console',
    id_token_hint: 'h.p.s',
    signature: 'a+b/c=',
  })
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'logout', ''])('SE-04 %s is no address to go to', (url) => {
  expect(externalLogoutAddress(answer(url))).toBeNull()
})
