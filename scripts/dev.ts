import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'

const root = join(import.meta.dirname, '..')
const target = `http://127.0.0.1:${process.env['PORT'] ?? '3000'}`

function startServer(): ChildProcess {
  const watched = ['apps/server/src', 'packages'].map((path) => `--watch-path=${join(root, path)}`)
  const entry = join(root, 'apps/server/src/commands/start.ts')
  const flags = ['--watch-preserve-output', '--disable-warning=ExperimentalWarning', ...watched]
  // In a group of its own: a terminal's Ctrl-C would otherwise come to it twice, once from the terminal, once from --watch.
  return spawn(process.execPath, [...flags, entry], {
    cwd: root,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CONSOLE_DEV: '1' },
  })
}

async function startVite(): Promise<ViteDevServer> {
  const plain = Object.fromEntries(['/api', '/healthz', '/openapi.json'].map((path) => [path, { target }]))
  const proxy = { ...plain, '/socket.io': { target, ws: true } }
  const vite = await createServer({
    root: join(root, 'apps/web'),
    clearScreen: false,
    server: { port: 5173, strictPort: true, proxy },
  })
  await vite.listen()
  vite.printUrls()
  return vite
}

const server = startServer()
const ended = once(server, 'exit')

let stopping = false
function stop(signal: NodeJS.Signals): void {
  if (stopping) return
  stopping = true
  server.kill(signal)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

const vite = await startVite().catch(async (error: unknown) => {
  stop('SIGTERM')
  await ended
  throw error
})
// Vite's own way out does not wait for the server.
for (const other of process.listeners('SIGTERM')) if (other !== stop) process.off('SIGTERM', other)

const [code] = (await ended) as [number | null]
await vite.close()
process.exit(stopping ? 0 : (code ?? 1))
