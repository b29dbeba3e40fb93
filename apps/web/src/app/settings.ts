import { readUserId } from './credentials.ts'
import { ownKey, readStoredJson } from './storage.ts'

type Settings = { logoutConfirmation: boolean }

const defaults: Settings = { logoutConfirmation: true }

/** The personal settings of whoever is signed in; what was never set has its default. */
export function readSettings(): Settings {
  const stored = readStoredJson(ownKey('settings', readUserId()))
  return typeof stored === 'object' && stored !== null ? { ...defaults, ...stored } : defaults
}
