/** Local storage may be refused (private windows, policies); the console then works without memory. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    return
  }
}

export function readStoredJson(key: string): unknown {
  try {
    return JSON.parse(readStored(key) ?? 'null')
  } catch {
    return null
  }
}

/** What belongs to one user; before anybody signs in, to a ghost. */
export function ownKey(name: string, userId: string | null): string {
  return `${name}:${userId ?? 'ghost'}`
}
