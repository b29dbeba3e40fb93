import { readStored, writeStored } from './storage.ts'

const dayInSeconds = 86_400
export const tokenKey = 'token'
const reloadMarkerKey = 'reload-marker'

function readCookie(name: string): string | null {
  const found = document.cookie.split('; ').find((part) => part.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

function writeCookie(name: string, value: string | null): void {
  const age = value === null ? 0 : dayInSeconds
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${encodeURIComponent(value ?? '')}; Max-Age=${age}; Path=/; SameSite=Lax${secure}`
}

export function readToken(): string | null {
  return readStored(tokenKey) ?? readCookie('token')
}

export function readUserId(): string | null {
  return readCookie('uuid')
}

export function saveToken(token: string): void {
  writeCookie('token', token)
  writeStored(tokenKey, token)
}

export function saveUserId(userId: string): void {
  writeCookie('uuid', userId)
}

export function clearCredentials(): void {
  writeCookie('token', null)
  writeCookie('uuid', null)
  writeStored(tokenKey, null)
  writeStored(reloadMarkerKey, null)
}

export function readReloadMarker(): string | null {
  return readStored(reloadMarkerKey)
}

export function saveReloadMarker(value: string): void {
  writeStored(reloadMarkerKey, value)
}
