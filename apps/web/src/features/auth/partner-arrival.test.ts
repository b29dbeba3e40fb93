import { expect, test } from 'vitest'
import { partnerArrival } from './partner-arrival.ts'

const arrive = (query: string, remembered: string | null = null) =>
  partnerArrival(new URLSearchParams(query), remembered)

test('SE-01 an entrance without anything begins', () => {
  expect(arrive('')).toEqual({ kind: 'none' })
  expect(arrive('redirect=%2Ftask%2Flist')).toEqual({ kind: 'none' })
})

test('SE-01 a code or an id token with the remembered state signs in', () => {
  expect(arrive('code=c&state=s', 's')).toEqual({ kind: 'credentials', code: 'c', idToken: '', state: 's' })
  expect(arrive('idToken=t&state=s', 's')).toEqual({ kind: 'credentials', code: '', idToken: 't', state: 's' })
})

test('SE-01 a partner that began by itself has no state here to compare with', () => {
  expect(arrive('code=c')).toEqual({ kind: 'credentials', code: 'c', idToken: '', state: undefined })
})

test('SE-01 another state, or none, is refused when one was remembered', () => {
  expect(arrive('code=c&state=x', 's')).toEqual({ kind: 'stateMismatch' })
  expect(arrive('code=c', 's')).toEqual({ kind: 'stateMismatch' })
})

test('SE-01 an error of the partner is shown and does not begin again', () => {
  expect(arrive('error=access_denied&state=s', 's')).toEqual({ kind: 'error', code: 'access_denied' })
})
