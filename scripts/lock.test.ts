import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { withLock } from './lock.mjs'

const deadPid = 2 ** 22 + 1
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('one at a time, and nothing stays behind', async () => {
  let within = 0
  let most = 0
  let waited = 0
  const action = async () => {
    most = Math.max(most, ++within)
    await wait(50)
    within--
  }
  const path = join(folder, 'lock')
  await Promise.all([1, 2, 3].map(() => withLock(path, action, () => waited++)))
  expect({ most, waited }).toEqual({ most: 1, waited: 2 })
  expect(await readdir(folder)).toEqual([])
})

test('a failing action gives the lock back', async () => {
  const path = join(folder, 'lock')
  await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withLock(path, () => Promise.resolve(1))).toBe(1)
})

test('the lock of a dead process is taken over', async () => {
  const path = join(folder, 'lock')
  await mkdir(path)
  await writeFile(join(path, `owner-${deadPid}`), '')
  expect(await withLock(path, () => readdir(path))).toEqual([`owner-${process.pid}`])
})

test('not while what the dead process started is still at work', async () => {
  const path = join(folder, 'lock')
  await mkdir(path)
  await writeFile(join(path, `owner-${deadPid}`), String(process.pid))
  let done = false
  const held = withLock(path, async () => (done = true))
  await wait(500)
  expect(done).toBe(false)
  await writeFile(join(path, `owner-${deadPid}`), String(deadPid))
  await held
  expect(done).toBe(true)
})
