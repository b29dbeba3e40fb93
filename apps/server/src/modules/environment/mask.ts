/** Whatever looks like a token, a code or an id token loses its middle: the console masks too, but is not trusted to. */
export function maskTokens(text: string): string {
  return text
    .replace(
      /((?:token|code|ticket|password|id_token|idToken|authorization)["']?\s*[=:]\s*["']?)([^\s&"',}]+)/gi,
      '$1***',
    )
    .replace(/[A-Za-z0-9_-]{40,}/g, (secret) => `${secret.slice(0, 4)}***`)
}
