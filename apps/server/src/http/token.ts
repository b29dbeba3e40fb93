import { createHash, randomBytes } from 'node:crypto'

const schoolBytes = 16
const secretBytes = 32
const tokenPattern = /^[A-Za-z0-9_-]{64}$/

/**
 * 256 random bits behind the id of the school, so that a session is found by its key without a look-up over all schools.
 * The database keeps only a hash.
 */
export function makeToken(schoolId: string): string {
  return Buffer.concat([Buffer.from(schoolId.replaceAll('-', ''), 'hex'), randomBytes(secretBytes)]).toString(
    'base64url',
  )
}

export type TokenParts = { schoolId: string; tokenHash: string }

/** Null for anything that cannot be a token of ours. */
export function readToken(token: string): TokenParts | null {
  if (!tokenPattern.test(token)) return null
  const hex = Buffer.from(token, 'base64url').subarray(0, schoolBytes).toString('hex')
  const schoolId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { schoolId, tokenHash: hashToken(token) }
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Bare, as the specification's clients send it, or with the scheme that other clients add. */
export function tokenOfHeader(header: string | undefined): string | null {
  const value = header?.replace(/^Bearer\s+/i, '').trim()
  return value ? value : null
}
