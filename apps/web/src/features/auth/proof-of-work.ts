import { sha256 } from './sha256.ts'

export function leadingZeroBits(words: Uint32Array): number {
  let bits = 0
  for (const word of words) {
    bits += Math.clz32(word)
    if (word !== 0) break
  }
  return bits
}

/** The smallest n for which the digest of `challenge.n` begins with that many zero bits; the answer is the ticket. */
export function solveChallenge(challenge: string, bits: number): string {
  const encoder = new TextEncoder()
  const buffer = new Uint8Array(challenge.length * 3 + 20)
  for (let n = 0; ; n += 1) {
    const ticket = `${challenge}.${n}`
    const { written } = encoder.encodeInto(ticket, buffer)
    if (leadingZeroBits(sha256(buffer.subarray(0, written))) >= bits) return ticket
  }
}
