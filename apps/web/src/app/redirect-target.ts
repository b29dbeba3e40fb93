export const homePath = '/home'
export const loginPath = '/login'

/** Only a path of this console: one leading slash, no scheme, no backslash that a browser reads as a slash. */
export function safeRedirect(value: string | null): string | null {
  if (!value || !/^\/(?![/\\])/.test(value) || /[\\\u0000-\u001f]/.test(value)) return null
  return value.split('?')[0] === loginPath ? null : value
}

export function loginAddress(intended: string | null): string {
  const target = safeRedirect(intended)
  return target && target !== '/' ? `${loginPath}?redirect=${encodeURIComponent(target)}` : loginPath
}
