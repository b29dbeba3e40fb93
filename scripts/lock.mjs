import {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const beatMs = 2_000
const silentMs = 30_000

/**
 * Runs `action` while no other process of this machine runs one under the same directory.
 * The owner is a file named after its process. Taking over from a dead owner is a rename of that file, so that only one
 * of many waiting processes succeeds.
 */
export async function withLock(directory, action, onWait = () => {}) {
  const mine = join(directory, `owner-${process.pid}`)
  let waited = false
  while (!acquire(directory, mine)) {
    if (!waited) onWait()
    waited = true
    await wait(200)
  }
  const beat = setInterval(() => touch(mine), beatMs)
  beat.unref()
  try {
    return await action({ lend: (pid) => writeFileSync(mine, String(pid)) })
  } finally {
    clearInterval(beat)
    rmSync(mine, { force: true })
    unlessTaken(() => rmdirSync(directory))
  }
}

function acquire(directory, mine) {
  try {
    mkdirSync(join(directory, '..'), { recursive: true })
    mkdirSync(directory)
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return takeOver(directory, mine)
  }
  return unlessTaken(() => writeFileSync(mine, ''))
}

function takeOver(directory, mine) {
  return unlessTaken(() => {
    const owner = readdirSync(directory).find((name) => name.startsWith('owner-'))
    if (owner) {
      const path = join(directory, owner)
      if (!isStale(path, Number(owner.slice('owner-'.length)))) return false
      renameSync(path, mine)
      writeFileSync(mine, '')
      return true
    }
    // Its maker died between the two steps; rmdir spares it if an owner has appeared meanwhile.
    if (Date.now() - statSync(directory).mtimeMs > silentMs) rmdirSync(directory)
    return false
  })
}

/** What a killed owner had started (the process it lent the lock to) may still be at work. */
function isStale(path, pid) {
  const silent = Date.now() - statSync(path).mtimeMs
  if (isAlive(pid)) return silent > silentMs
  const lentTo = Number(readFileSync(path, 'utf8'))
  return !(lentTo > 0 && isAlive(lentTo) && silent < 10 * silentMs)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function touch(path) {
  const now = new Date()
  unlessTaken(() => utimesSync(path, now, now))
}

function unlessTaken(step) {
  try {
    return step() ?? true
  } catch (error) {
    if (['ENOENT', 'EEXIST', 'ENOTEMPTY', 'EPERM', 'EBUSY'].includes(error.code)) return false
    throw error
  }
}
