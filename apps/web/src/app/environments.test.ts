import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { apiAddressOf, readDebugSettings, writeDebugSettings } from './environments.ts'

const stored = new Map<string, string>()

beforeEach(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  stored.clear()
})

test('SH-21 without a choice the console speaks to the server that it came from', () => {
  expect(readDebugSettings()).toEqual({ version: 2, environment: 'production', customApi: '' })
  expect(apiAddressOf(readDebugSettings())).toBe('')
})

test('SH-21 a choice is kept; custom has no preset address', () => {
  writeDebugSettings({ environment: 'custom', customApi: '' })
  expect(apiAddressOf(readDebugSettings())).toBe('')
  writeDebugSettings({ environment: 'custom', customApi: 'http://192.168.1.20:3000/' })
  expect(apiAddressOf(readDebugSettings())).toBe('http://192.168.1.20:3000')
})

test.each([
  '{"version":1,"environment":"custom","customApi":"http://old"}',
  '{"version":2,"environment":"moon","customApi":""}',
])('SH-21 settings that are not of this version are reset: %s', (text) => {
  stored.set('debug-settings', text)
  expect(readDebugSettings().environment).toBe('production')
  expect(JSON.parse(stored.get('debug-settings') ?? '')).toEqual({
    version: 2,
    environment: 'production',
    customApi: '',
  })
})
