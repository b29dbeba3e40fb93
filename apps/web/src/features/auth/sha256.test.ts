import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { leadingZeroBits, solveChallenge } from './proof-of-work.ts'
import { sha256 } from './sha256.ts'

const hex = (words: Uint32Array) => Array.from(words, (word) => word.toString(16).padStart(8, '0')).join('')
const reference = (message: Uint8Array) => createHash('sha256').update(message).digest('hex')

test('agrees with node:crypto around every block boundary', () => {
  for (let length = 0; length <= 200; length += 1) {
    const message = Uint8Array.from({ length }, (_, index) => (index * 37 + length) % 256)
    expect(hex(sha256(message)), `length ${length}`).toBe(reference(message))
  }
})

test('agrees with node:crypto on a long message', () => {
  const message = new Uint8Array(1_000_003).fill(0x61)
  expect(hex(sha256(message))).toBe(reference(message))
})

test('counts leading zero bits over words', () => {
  expect(leadingZeroBits(Uint32Array.of(0x8000_0000))).toBe(0)
  expect(leadingZeroBits(Uint32Array.of(0x0000_8000, 1))).toBe(16)
  expect(leadingZeroBits(Uint32Array.of(0, 0x4000_0000))).toBe(33)
})

test('SE-01 a solved security check holds for the server', () => {
  const ticket = solveChallenge('c2Vzc2lvbg.abc', 12)
  const digest = createHash('sha256').update(ticket).digest()
  expect(ticket.startsWith('c2Vzc2lvbg.abc.')).toBe(true)
  expect(digest.readUInt16BE(0) >>> 4).toBe(0)
})
