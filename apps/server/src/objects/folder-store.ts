import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { demandKey, demandPrefix, ObjectDamagedError, type ObjectStore } from './objects.ts'

/** Few large reads: each is a trip to a thread. */
const readBytes = 256 * 1024

/** Checks what flows through against what was announced: a truncated or altered file is never stored under its name. */
export function checking(size: number, sha256: string): Transform {
  const hash = createHash('sha256')
  let seen = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      const isWhole = seen === size && hash.digest('hex') === sha256
      done(isWhole ? null : new ObjectDamagedError(`expected ${size} bytes with sha256 ${sha256}, got ${seen}`))
    },
  })
}

/** Files below a folder. What was acknowledged is on the disk: the file and the entry in its folder are both synced. */
export function createFolderStore(root: string): ObjectStore {
  const pathOf = (key: string) => {
    demandKey(key)
    return join(root, ...key.split('/'))
  }
  return {
    kind: 'folder',
    async put(key, body, size, sha256) {
      const path = pathOf(key)
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = join(dirname(path), `.draft-${randomUUID()}`)
      try {
        await pipeline(body, checking(size, sha256), createWriteStream(draft, { mode: 0o600, flush: true }))
        await rename(draft, path)
        await syncUp(dirname(path), made ? dirname(made) : dirname(path))
      } catch (error) {
        await rm(draft, { force: true })
        throw error
      }
    },
    async get(key, range) {
      const path = pathOf(key)
      await stat(path)
      return createReadStream(path, { highWaterMark: readBytes, ...range })
    },
    async size(key) {
      return (await stat(pathOf(key)).catch(absentAsNull))?.size ?? null
    },
    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
    list: (prefix) => listBelow(root, prefix),
  }
}

function absentAsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** Each folder that was just made is an entry in the one above it, which a power cut would forget. */
async function syncUp(folder: string, last: string): Promise<void> {
  await syncFolder(folder)
  if (folder !== last && folder.startsWith(last)) await syncUp(dirname(folder), last)
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows has no folders to sync and says so.
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

async function* listBelow(root: string, prefix: string): AsyncIterable<string> {
  demandPrefix(prefix)
  const folder = prefix.includes('/') ? prefix.slice(0, prefix.lastIndexOf('/')) : ''
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(absentAsNull)
  for (const entry of entries ?? []) {
    if (!entry.isFile() || entry.name.startsWith('.draft-')) continue
    const key = join(entry.parentPath, entry.name)
      .slice(root.length + 1)
      .split(sep)
      .join('/')
    if (key.startsWith(prefix)) yield key
  }
}
