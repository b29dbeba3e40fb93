import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeFingerprint } from './fingerprint.ts'

let root: string
const longAgo = new Date(Date.now() - 60_000)

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), text)
  await utimes(join(root, path), longAgo, longAgo)
}

const look = (last: Parameters<typeof takeFingerprint>[2] = null) => takeFingerprint(root, ['src', 'lock.json'], last)

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fingerprint-'))
  await put('src/deep/a.ts', 'one')
  await put('lock.json', '{}')
})
afterEach(() => rm(root, { recursive: true }))

test('the same sources have the same content', async () => {
  const first = await look()
  expect((await look(first)).content).toBe(first.content)
  expect((await look()).content).toBe(first.content)
})

test('a changed, a new, a renamed and a removed file each change it', async () => {
  const seen = new Set([(await look()).content])
  await put('src/deep/a.ts', 'other')
  seen.add((await look()).content)
  await put('src/b.ts', 'one')
  seen.add((await look()).content)
  await rm(join(root, 'src/b.ts'))
  await put('src/c.ts', 'one')
  seen.add((await look()).content)
  await rm(join(root, 'src/deep/a.ts'))
  seen.add((await look()).content)
  expect(seen.size).toBe(5)
})

test('a file only touched is read again and changes nothing', async () => {
  const first = await look()
  await utimes(join(root, 'src/deep/a.ts'), longAgo, new Date(longAgo.getTime() + 5_000))
  expect((await look(first)).content).toBe(first.content)
})

test('a file as old and as large as before is not read again', async () => {
  const first = await look()
  await put('src/deep/a.ts', 'two')
  expect((await look(first)).content).toBe(first.content)
})

test('a file changed just before the last look is read again', async () => {
  const now = new Date()
  await utimes(join(root, 'lock.json'), now, now)
  const first = await look()
  await writeFile(join(root, 'lock.json'), '[]')
  await utimes(join(root, 'lock.json'), now, now)
  expect((await look(first)).content).not.toBe(first.content)
})

test('tests, built files and caches do not count', async () => {
  const first = await look()
  await put('src/a.test.ts', 'x')
  await put('src/dist/a.js', 'x')
  await put('src/.cache/a', 'x')
  expect((await look(first)).content).toBe(first.content)
})
