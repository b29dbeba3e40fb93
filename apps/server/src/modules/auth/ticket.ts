import { createHash, randomBytes } from 'node:crypto'
import { systemSchool } from '../../db/schema.ts'
import { AppError } from '../../http/app-error.ts'
import type { Services } from '../../services.ts'
import { markUsed } from './one-time.ts'

// About 130,000 hashes: a moment for a person's browser, a real price for somebody who tries a million passwords.
const bits = 17
const lifeMs = 10 * 60_000

/** A security check that works without the internet and without reading distorted letters. Nothing is stored until it is used. */
export function makeChallenge({ secrets }: Services, now: number): { challenge: string; bits: number } {
  const text = `${randomBytes(15).toString('base64url')}.${now + lifeMs}`
  return { challenge: `${text}.${secrets.sign('ticket', text)}`, bits }
}

export async function demandTicket(
  { secrets, store }: Services,
  ticket: string | undefined,
  now: number,
): Promise<void> {
  if (!ticket) throw new AppError('auth.ticketNeeded')
  const [random = '', expires = '', signature = '', n] = ticket.split('.')
  const valid =
    n !== undefined &&
    secrets.verify('ticket', `${random}.${expires}`, signature) &&
    Number(expires) > now &&
    leadingZeroBits(createHash('sha256').update(ticket).digest()) >= bits
  const fresh = valid && (await markUsed(store.school(systemSchool), 'ticket-used', random, now, lifeMs))
  if (!fresh) throw new AppError('auth.ticketInvalid')
}

function leadingZeroBits(bytes: Uint8Array): number {
  let count = 0
  for (const byte of bytes) {
    if (byte !== 0) return count + Math.clz32(byte) - 24
    count += 8
  }
  return count
}
