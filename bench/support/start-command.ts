import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')
const deadlineMs = 120_000

export type Started = { url: string; seconds: number; pid: number; stop: () => Promise<void> }

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What `npm start` starts, until it answers. Without a built console the page is left to Vite, as in development. */
export async function startCommand(dataDir: string): Promise<Started> {
  const port = await freePort()
  const isBuilt = existsSync(join(root, 'apps/web/dist/index.html'))
  const began = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(root, 'apps/server/src/commands/start.ts')],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        PORT: String(port),
        ...(isBuilt ? {} : { CONSOLE_DEV: '1' }),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const url = `http://127.0.0.1:${port}`
  while ((await fetch(`${url}/healthz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`the start command ended with ${child.exitCode}`)
    if (performance.now() - began > deadlineMs) throw new Error('the start command does not answer')
    // Asking without a pause would take from it the processor that it starts on.
    await pause(20)
  }
  return {
    url,
    seconds: (performance.now() - began) / 1000,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

/** What the process holds in memory, as the system counts it. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
