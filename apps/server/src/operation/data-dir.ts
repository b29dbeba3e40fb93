import { randomUUID } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isBusyCode } from '../db/sqlite/failure.ts'
import { syncFolder } from '../objects/folder-store.ts'
import { randomSecret } from '../secrets.ts'

type Holder = { pid: number; since: string; command: string }

/** Two servers over one file would each believe to be alone: the second is told who is there. */
export class DataDirHeldError extends Error {
  readonly holder: Holder | null
  constructor(dir: string, holder: Holder | null) {
    const who = holder ? `process ${holder.pid} (${holder.command}), since ${holder.since}` : 'another process'
    super(`${dir} is in use by ${who}. / ${dir} 正在被占用：${who}`)
    this.name = 'DataDirHeldError'
    this.holder = holder
  }
}

/**
 * Takes the folder for this process. The lock is an exclusive transaction on a small database: the system gives it
 * back the moment the process is gone, also after kill -9, and a process id that was used again cannot fool it.
 */
export async function openDataDir(dir: string): Promise<{ release: () => Promise<void> }> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  await chmod(dir, 0o700)
  const holderFile = join(dir, 'holder.json')
  const lock = new DatabaseSync(join(dir, 'lock.db'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (!isBusyCode((error as { errcode?: number }).errcode)) throw error
    throw new DataDirHeldError(dir, readHolder(holderFile))
  }
  const holder: Holder = {
    pid: process.pid,
    since: new Date().toISOString(),
    command: process.argv.slice(1, 3).join(' '),
  }
  writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 })
  return {
    async release() {
      await rm(holderFile, { force: true })
      lock.close()
    },
  }
}

function readHolder(file: string): Holder | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder
  } catch {
    return null
  }
}

/** The secret of an installation that was given none: made once and kept beside the data. */
export async function keepSecret(dir: string): Promise<string> {
  const file = join(dir, 'secret')
  // Not named by the process: two containers over one folder may well have the same number.
  const draft = join(dir, `secret.${randomUUID()}`)
  await writeFile(draft, randomSecret(), { mode: 0o600, flush: true })
  // Linking fails when the file is there: of two processes that start at once, both use the first one's secret.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  await syncFolder(dir)
  return readFile(file, 'utf8')
}
