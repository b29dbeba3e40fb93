import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expectedPackages, explain, isWhatTheLockfileSays, missingOf } from './install-plan.mjs'
import { showProgress } from './install-progress.mjs'
import { withLock } from './lock.mjs'

export class InstallError extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Returns whether anything had to be installed. */
export async function ensureInstalled(root, mode) {
  if (isInstalled(root, mode)) return false
  const onWait = () => console.error('另一个进程正在安装依赖，请稍候… Another process is installing; waiting…')
  return withLock(
    join(root, '.cache', 'install.lock'),
    async (held) => {
      if (isInstalled(root, mode) || adopt(root, mode)) return false
      await install(root, mode, held)
      return true
    },
    onWait,
  )
}

const markerPath = (root) => join(root, 'node_modules', '.installed.json')
const hiddenLockPath = (root) => join(root, 'node_modules', '.package-lock.json')
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

function wantedMarker(root, mode) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return { lock, mode, machine: `${process.platform}-${process.arch}` }
}

export function isInstalled(root, mode) {
  const wanted = wantedMarker(root, mode)
  let marker
  try {
    marker = readJson(markerPath(root))
  } catch {
    return false
  }
  const covers = marker.mode === 'all' || marker.mode === mode
  return covers && marker.lock === wanted.lock && marker.machine === wanted.machine
}

/** By rename: a marker half written must not count. */
export function writeMarker(root, mode) {
  const path = markerPath(root)
  writeFileSync(`${path}.new`, JSON.stringify(wantedMarker(root, mode)))
  renameSync(`${path}.new`, path)
}

/** Somebody ran `npm install` by hand: npm's own record says so, and the folder need not be made again. */
function adopt(root, mode) {
  const lock = readJson(join(root, 'package-lock.json'))
  const fitting = [...new Set(['all', mode])].find((each) => {
    try {
      return isWhatTheLockfileSays(root, lock, readJson(hiddenLockPath(root)), each)
    } catch {
      return false
    }
  })
  if (fitting) writeMarker(root, fitting)
  return fitting !== undefined
}

async function install(root, mode, held) {
  const packages = expectedPackages(readJson(join(root, 'package-lock.json')), mode)
  // From here to the new marker the folder is in pieces; whoever finds no marker installs again.
  for (const path of [markerPath(root), hiddenLockPath(root)]) rmSync(path, { force: true })
  const progress = showProgress(packages.length, () => packages.length - missingOf(root, packages).length)
  const result = await runNpm(root, mode, held)
  progress.stop()
  if (result.signal)
    throw new InstallError('安装已中断，下次运行时会继续。 Interrupted; the next run repairs it.', result.code)
  if (result.code !== 0) throw new InstallError(explain(result.output))
  const missing = missingOf(root, packages)
  if (missing.length > 0)
    throw new InstallError(explain(`${result.output}\nnot downloaded: ${missing.slice(0, 5).join(', ')}`))
  writeMarker(root, mode)
  progress.done()
}

/** npm gives its own path to what it runs; by hand, npm lies beside node. */
function npmCommand() {
  const given = process.env.npm_execpath
  if (given && basename(given) === 'npm-cli.js' && existsSync(given)) return [process.execPath, [given]]
  const bin = dirname(process.execPath)
  const places = [join(bin, '../lib/node_modules'), join(bin, 'node_modules')]
  const found = places.map((place) => join(place, 'npm/bin/npm-cli.js')).find((path) => existsSync(path))
  return found ? [process.execPath, [found]] : ['npm', []]
}

function runNpm(root, mode, held) {
  const [file, before] = npmCommand()
  const kinds = mode === 'all' ? ['--include=dev'] : ['--omit=dev']
  const args = [...before, 'ci', ...kinds, '--include=optional', '--loglevel=error']
  const shell = file === 'npm' && process.platform === 'win32'
  const child = spawn(file, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell })
  held.lend(child.pid ?? 0)
  let output = ''
  const keep = (chunk) => (output = (output + chunk).slice(-20_000))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    let stoppedBy = null
    const stop = (signal) => {
      stoppedBy = signal
      child.kill(signal)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
    const end = (code, signal) => {
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, stop)
      const by = stoppedBy ?? signal
      resolve({ code: by ? 128 + constants.signals[by] : code, signal: by, output })
    }
    child.on('error', (error) => {
      output += error.message
      end(1, null)
    })
    child.on('close', end)
  })
}
