import { expect, test } from 'vitest'
import { partnerReturnHash } from './partner-return.ts'

test('SE-01 shiWai and pbs return in the query', () => {
  expect(partnerReturnHash('?entrance=shiWai&code=a%2Bb&state=s1', '')).toBe('#/shiWaiLogin?code=a%2Bb&state=s1')
  expect(partnerReturnHash('?entrance=pbs&code=c&state=s', '#')).toBe('#/pbsLogin?code=c&state=s')
})

test('SE-01 szjx returns in the fragment', () => {
  expect(partnerReturnHash('?entrance=szjx', '#id_token=h.p.s&code=c&state=s')).toBe(
    '#/szjxLogin?code=c&idToken=h.p.s&state=s',
  )
})

test('SE-01 an error comes along, wherever the partner put it', () => {
  expect(partnerReturnHash('?entrance=shiWai&error=access_denied&state=s', '')).toBe(
    '#/shiWaiLogin?state=s&error=access_denied',
  )
  expect(partnerReturnHash('?entrance=szjx', '#error=server_error&error_description=no+luck')).toBe(
    '#/szjxLogin?error=server_error&errorDescription=no+luck',
  )
})

test('SE-01 nothing but code, token, state and error is carried', () => {
  expect(partnerReturnHash('?entrance=pbs&redirect=https%3A%2F%2Fevil.example&code=c', '')).toBe('#/pbsLogin?code=c')
})

test('SE-01 every other address stays as it is', () => {
  expect(partnerReturnHash('', '#/login')).toBeNull()
  expect(partnerReturnHash('?entrance=other&code=c', '')).toBeNull()
  expect(partnerReturnHash('?entrance=__proto__&code=c', '')).toBeNull()
  expect(partnerReturnHash('?code=c&state=s', '')).toBeNull()
})

test('SE-01 a route of the console behind the mark is not read as an answer', () => {
  expect(partnerReturnHash('?entrance=szjx', '#/home?code=c')).toBe('#/szjxLogin')
})
