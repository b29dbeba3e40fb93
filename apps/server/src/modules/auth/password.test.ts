import { expect, test } from 'vitest'
import { checkPassword, hashPassword, isStrongPassword, makePassword } from './password.ts'

test('a hash says its cost, has a salt of its own, and knows only its password', async () => {
  const [one, two] = await Promise.all([hashPassword('Right-pass-1'), hashPassword('Right-pass-1')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(one).not.toBe(two)
  expect(await checkPassword('Right-pass-1', one)).toBe(true)
  expect(await checkPassword('Right-pass-2', one)).toBe(false)
  expect(await checkPassword('Right-pass-1', 'not a hash')).toBe(false)
})

test('characters that look the same are the same, however the keyboard composed them', async () => {
  expect(await checkPassword('Caf\u00e9-2026', await hashPassword('Cafe\u0301-2026'))).toBe(true)
})

test('an account that does not exist takes as long as one that does', async () => {
  const hash = await hashPassword('Right-pass-1')
  const median = async (of: string | null) => {
    const times: number[] = []
    for (let n = 0; n < 9; n += 1) {
      const began = performance.now()
      await checkPassword('Wrong-pass-1', of)
      times.push(performance.now() - began)
    }
    return times.toSorted((a, b) => a - b)[4] ?? 0
  }
  // Without the decoy the ratio would be under a hundredth; the bound leaves a busy machine its noise.
  expect((await median(null)) / (await median(hash))).toBeGreaterThan(0.3)
})

test('a made password is strong and never twice the same', () => {
  const made = Array.from({ length: 200 }, makePassword)
  expect(made.every(isStrongPassword)).toBe(true)
  expect(new Set(made).size).toBe(200)
  expect(['short-1', 'onlyletters', '12345678'].some(isStrongPassword)).toBe(false)
  expect(isStrongPassword('密码足够长度啊1')).toBe(true)
})
