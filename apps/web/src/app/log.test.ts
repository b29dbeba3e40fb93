import { expect, test } from 'vitest'
import { maskSecrets } from './log.ts'

test('SH-12 tokens and codes in an address are masked', () => {
  expect(maskSecrets('http://x/#/wflLogin?token=abc.def&a=1')).toBe('http://x/#/wflLogin?token=***&a=1')
  expect(maskSecrets('#/szjxLogin?idToken=h.p.s&code=c&state=s')).toBe('#/szjxLogin?idToken=***&code=***&state=***')
  expect(maskSecrets('/socket.io/?Authorization=tok&EIO=4')).toBe('/socket.io/?Authorization=***&EIO=4')
})
