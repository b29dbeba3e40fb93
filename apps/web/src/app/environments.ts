import { readStoredJson, writeStored } from './storage.ts'

export const environmentNames = ['production', 'development', 'admin', 'custom'] as const
export type EnvironmentName = (typeof environmentNames)[number]
export type DebugSettings = { version: number; environment: EnvironmentName; customApi: string }

export const debugSettingsVersion = 2
const settingsKey = 'debug-settings'
const defaults: DebugSettings = { version: debugSettingsVersion, environment: 'production', customApi: '' }

type EnvironmentOption = { value: EnvironmentName; label: EnvironmentName; api: string; ws: string }

/** An empty address is the server that this page came from. custom has no preset: the user types it. */
export const environmentOptions: readonly EnvironmentOption[] = [
  { value: 'production', label: 'production', api: '', ws: '' },
  { value: 'development', label: 'development', api: 'http://127.0.0.1:3000', ws: 'ws://127.0.0.1:3000' },
  { value: 'admin', label: 'admin', api: 'http://127.0.0.1:3001', ws: 'ws://127.0.0.1:3001' },
  { value: 'custom', label: 'custom', api: '', ws: '' },
]

function isDebugSettings(value: unknown): value is DebugSettings {
  if (typeof value !== 'object' || value === null) return false
  const { version, environment, customApi } = value as Partial<Record<keyof DebugSettings, unknown>>
  return (
    version === debugSettingsVersion &&
    environmentNames.some((name) => name === environment) &&
    typeof customApi === 'string'
  )
}

/** Settings of another version are not understood: they are reset, not guessed at. */
export function readDebugSettings(): DebugSettings {
  const stored = readStoredJson(settingsKey)
  if (isDebugSettings(stored)) return stored
  if (stored !== null) writeStored(settingsKey, JSON.stringify(defaults))
  return defaults
}

export function writeDebugSettings(choice: Omit<DebugSettings, 'version'>): void {
  writeStored(settingsKey, JSON.stringify({ version: debugSettingsVersion, ...choice }))
}

export function apiAddressOf(settings: DebugSettings): string {
  if (settings.environment === 'custom') return settings.customApi.replace(/\/+$/, '')
  return environmentOptions.find((option) => option.value === settings.environment)?.api ?? ''
}

function socketAddressOf(settings: DebugSettings): string {
  if (settings.environment === 'custom') return apiAddressOf(settings).replace(/^http/, 'ws')
  return environmentOptions.find((option) => option.value === settings.environment)?.ws ?? ''
}

/** Read once: a change takes effect by a reload, so that no page speaks to two servers. */
const chosen = readDebugSettings()

export function apiAddress(): string {
  return apiAddressOf(chosen)
}

export function socketAddress(): string {
  return socketAddressOf(chosen)
}
