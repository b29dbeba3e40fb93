// Runs on whatever Node the machine has (20 and later): it installs what is missing and hands over to the pinned Node 24.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InstallError, ensureInstalled } from './install.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const server = (name, env = {}) => ({ needs: 'production', file: `apps/server/src/commands/${name}.ts`, env })
const tool = (name, needs = 'all') => ({ needs, file: `scripts/${name}.ts`, env: {} })

const commands = {
  start: server('start'),
  serve: server('serve', { NODE_ENV: 'production' }),
  admin: server('admin'),
  backup: server('backup'),
  restore: server('restore'),
  move: server('move'),
  openapi: { ...server('openapi'), needs: 'all' },
  build: tool('build', 'production'),
  dev: tool('dev'),
  check: tool('check'),
  test: tool('test'),
  bench: tool('bench'),
  format: { needs: 'all', file: 'node_modules/oxfmt/bin/oxfmt', env: {} },
}

function findNode() {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  const pinned = join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new InstallError(
    `${process.platform}-${process.arch} 没有随附 Node 24。请从 nodejs.org 安装 Node 24 或更新版本后重试。\n` +
      `No Node 24 comes along for ${process.platform}-${process.arch}. Install Node 24 or later from nodejs.org and try again.`,
  )
}

/**
 * A terminal sends Ctrl-C to the whole group, so the command has it already; npm then repeats it to us.
 * Passing either on would look like a second, impatient Ctrl-C.
 */
function forwardSignals(child) {
  const last = new Map()
  const isFromTerminal = (signal) => signal === 'SIGINT' && (process.stdin.isTTY || process.platform === 'win32')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const repeated = Date.now() - (last.get(signal) ?? 0) < 1_000
      last.set(signal, Date.now())
      if (!repeated && !isFromTerminal(signal)) child.kill(signal)
    })
  }
}

/** npm passes a SIGTERM to the shell between us only, which dies of it without telling us: we notice that it is gone. */
function followNpm(child) {
  const parent = process.ppid
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill('SIGTERM')
  }, 500)
  watch.unref()
}

function handOver(node, command, args) {
  const flags = ['--disable-warning=ExperimentalWarning', join(root, command.file), ...args]
  const child = spawn(node, flags, { cwd: root, stdio: 'inherit', env: { ...process.env, ...command.env } })
  forwardSignals(child)
  followNpm(child)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)))
  })
}

async function main([name, ...args]) {
  const command = Object.hasOwn(commands, name ?? '') ? commands[name] : null
  if (!command) {
    console.error(`用法 Usage: node scripts/run.mjs <${Object.keys(commands).join(' | ')}> [args]`)
    return 2
  }
  await ensureInstalled(root, command.needs)
  return handOver(findNode(), command, args)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof InstallError ? error.message : error)
  process.exitCode = error.exitCode ?? 1
}
