import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readFingerprint, takeFingerprint, type Fingerprint } from './fingerprint.ts'
import { withLock } from './lock.mjs'

const root = join(import.meta.dirname, '..')
const web = join(root, 'apps/web')
const dist = join(web, 'dist')
const workplace = join(web, '.cache')
const fingerprintPath = join(dist, '.fingerprint')
const sources = ['apps/web', 'packages/contract', 'packages/phrases', 'package-lock.json']

/** The console in apps/web/dist is that of the sources; it is built only when they differ. */
export async function ensureConsoleBuilt(
  onProgress: (message: string) => void = () => {},
): Promise<{ built: boolean; ms: number }> {
  const started = performance.now()
  const answer = (built: boolean) => ({ built, ms: Math.round(performance.now() - started) })
  if (await isCurrent()) return answer(false)
  await mkdir(workplace, { recursive: true })
  const onWait = () => onProgress('另一个进程正在构建页面，请稍候… Another process is building the console; waiting…')
  return withLock(
    join(workplace, 'build.lock'),
    async (held) => {
      if (await isCurrent()) return answer(false)
      await buildAndSwap(onProgress, held.lend)
      return answer(true)
    },
    onWait,
  )
}

async function isCurrent(): Promise<boolean> {
  const last = existsSync(join(dist, 'index.html')) ? readFingerprint(fingerprintPath) : null
  const now = await takeFingerprint(root, sources, last)
  if (!last || now.content !== last.content) return false
  // Only a shortcut for the next time: where the installer's files may not be written, it is done without.
  if (JSON.stringify(now.files) !== JSON.stringify(last.files)) await keep(now, dist).catch(() => undefined)
  return true
}

/** By rename, since another process may be reading it. */
async function keep(fingerprint: Fingerprint, folder: string): Promise<void> {
  const path = join(folder, '.fingerprint')
  await writeFile(`${path}.${process.pid}`, JSON.stringify(fingerprint))
  await rename(`${path}.${process.pid}`, path)
}

async function buildAndSwap(onProgress: (message: string) => void, lend: (pid: number) => void): Promise<void> {
  // Taken before the build: what is changed during it counts as changed afterwards.
  const fingerprint = await takeFingerprint(root, sources, readFingerprint(fingerprintPath))
  for (const left of await readdir(workplace)) {
    if (left.startsWith('dist-')) await rm(join(workplace, left), { recursive: true, force: true })
  }
  const fresh = join(workplace, `dist-new-${process.pid}`)
  const old = join(workplace, `dist-old-${process.pid}`)
  await runBuild(fresh, onProgress, lend)
  await keep(fingerprint, fresh)
  if (existsSync(dist)) await rename(dist, old)
  await rename(fresh, dist)
  await rm(old, { recursive: true, force: true })
}

function runBuild(target: string, onProgress: (message: string) => void, lend: (pid: number) => void): Promise<void> {
  const started = Date.now()
  const tell = () => onProgress(`构建页面 Building the console… ${Math.round((Date.now() - started) / 1000)} s`)
  tell()
  const timer = setInterval(tell, 2_000)
  const child = spawn(process.execPath, [join(import.meta.dirname, 'build-console.ts'), target], {
    cwd: web,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  lend(child.pid ?? 0)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on('error', reject)
  child.on('close', (code) => {
    clearInterval(timer)
    if (code === 0) resolve()
    else reject(new Error(`构建页面失败 The console could not be built:\n${output.trim()}`))
  })
  return promise
}

if (import.meta.main) {
  const { built, ms } = await ensureConsoleBuilt((message) => console.log(message))
  console.log(`${built ? '页面已构建 The console is built' : '页面无变化 The console is current'} (${ms} ms)`)
}
