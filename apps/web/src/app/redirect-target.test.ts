import { expect, test } from 'vitest'
import { loginAddress, safeRedirect } from './redirect-target.ts'

test('NG-03 a path of the console is kept, query included', () => {
  expect(safeRedirect('/task/detail/1?tab=results&x=1')).toBe('/task/detail/1?tab=results&x=1')
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/a\\..\\b',
  '/\t/evil.example',
  'javascript:alert(1)',
  'home',
  '',
  null,
])('NG-03 a redirect that points outside is ignored: %s', (value) => {
  expect(safeRedirect(value)).toBeNull()
})

test('NG-03 login never leads to login', () => {
  expect(safeRedirect('/login?redirect=/home')).toBeNull()
})

test('NG-03 the intended path travels whole', () => {
  expect(loginAddress('/task/list?a=1&b=2')).toBe('/login?redirect=%2Ftask%2Flist%3Fa%3D1%26b%3D2')
  expect(loginAddress('/')).toBe('/login')
  expect(loginAddress(null)).toBe('/login')
})
