import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2)

// OWASP's second choice for argon2id: 19 MiB, two passes. It runs in libuv's threads, not on the event loop.
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 }

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const tag = await derive('argon2id', { ...cost, message: password.normalize('NFKC'), nonce: salt })
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(salt)}$${encode(tag)}`
}

const stored = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Takes as long for an account that does not exist or has no password as for one that does. */
export async function checkPassword(password: string, hash: string | null): Promise<boolean> {
  const match = stored.exec(hash ?? decoy)
  if (!match) return false
  const [, memory, passes, parallelism, salt = '', tag = ''] = match
  const expected = Buffer.from(tag, 'base64')
  const actual = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: expected.length,
    message: password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
  })
  return timingSafeEqual(expected, actual) && hash !== null
}

const decoy = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export function isStrongPassword(password: string): boolean {
  return password.length >= 8 && /\p{L}/u.test(password) && /\d/.test(password)
}

// Without characters that are read as another: the administrator reads it to somebody.
const letters = 'abcdefghjkmnpqrstuvwxyz'
const digits = '23456789'

export function makePassword(): string {
  const pick = (from: string, count: number) =>
    Array.from(randomBytes(count), (byte) => from[byte % from.length]).join('')
  return `${pick(letters, 4)}-${pick(digits, 4)}-${pick(letters, 4)}`
}
