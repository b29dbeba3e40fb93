import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DataDirHeldError, keepSecret, openDataDir } from './data-dir.ts'

let parent: string
let dir: string
let child: ChildProcess | null = null
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'console-data-'))
  dir = join(parent, 'data')
})
afterEach(async () => {
  child?.kill('SIGKILL')
  child = null
  await rm(parent, { recursive: true, force: true })
})

async function holdInChild(): Promise<ChildProcess> {
  child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./testing-holder.ts', import.meta.url)),
    dir,
  ])
  await once(child.stdout ?? child, 'data')
  return child
}

const refusalOf = (path: string) =>
  openDataDir(path).then(
    () => null,
    (error: unknown) => error as DataDirHeldError,
  )

test('a second process is told who holds the folder, since when and as what', async () => {
  const began = Date.now()
  const { pid } = await holdInChild()
  const refused = await refusalOf(dir)
  expect(refused).toBeInstanceOf(DataDirHeldError)
  expect(refused?.holder?.pid).toBe(pid)
  expect(Date.parse(refused?.holder?.since ?? '')).toBeGreaterThanOrEqual(began)
  expect(refused?.message).toContain(`process ${pid}`)
  expect(refused?.message).toContain('testing-holder.ts')
})

test('kill -9 gives the folder back at once, whatever the file of the holder still says', async () => {
  const holder = await holdInChild()
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const { release } = await openDataDir(dir)
  expect(JSON.parse(await readFile(join(dir, 'holder.json'), 'utf8'))).toMatchObject({ pid: process.pid })
  await release()
})

test('released, it can be taken again; held, not even by the same process', async () => {
  const first = await openDataDir(dir)
  expect(await refusalOf(dir)).toBeInstanceOf(DataDirHeldError)
  await first.release()
  await (await openDataDir(dir)).release()
})

test('nobody else may look inside, also where the folder was there with a wider mode', async () => {
  await mkdir(dir, { mode: 0o755 })
  const { release } = await openDataDir(dir)
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(dir, 'holder.json'))).mode & 0o777).toBe(0o600)
  await release()
})

test('the secret is made once, the same for all who start at once, and kept for its owner', async () => {
  await (await openDataDir(dir)).release()
  const secrets = await Promise.all(Array.from({ length: 8 }, () => keepSecret(dir)))
  expect(new Set([...secrets, await keepSecret(dir)]).size).toBe(1)
  expect(secrets[0]?.length).toBeGreaterThanOrEqual(32)
  expect((await stat(join(dir, 'secret'))).mode & 0o777).toBe(0o600)
})
