import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checking } from '../objects/folder-store.ts'
import { ObjectDamagedError, objectKey, type ObjectStore } from '../objects/objects.ts'
import type { TableSource } from './copy.ts'

export type StoredFile = { key: string; hash: string; size: number }

const atOnce = 4

/** The files that rows name; what lies in the store beside them belongs to nobody. */
export async function* storedFiles(source: TableSource): AsyncGenerator<StoredFile> {
  for await (const rows of source.rows('stored_object')) {
    for (const row of rows) {
      const { school_id: schoolId, hash, size } = row
      if (typeof schoolId !== 'string' || typeof hash !== 'string') throw new TypeError('a stored file has no name')
      yield { key: objectKey(schoolId, hash), hash, size: Number(size) }
    }
  }
}

/** True when the store holds just these bytes, which only reading them tells. */
export async function isWhole(store: ObjectStore, { key, hash, size }: StoredFile): Promise<boolean> {
  if ((await store.size(key)) !== size) return false
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    await pipeline(await store.get(key), checking(size, hash), nowhere)
    return true
  } catch (error) {
    if (error instanceof ObjectDamagedError) return false
    throw error
  }
}

/** False when the one store does not have the file as it should be; the other then has nothing of it. */
export async function copyFile(from: ObjectStore, to: ObjectStore, file: StoredFile): Promise<boolean> {
  if ((await from.size(file.key)) !== file.size) return false
  const body = await from.get(file.key)
  try {
    await to.put(file.key, body, file.size, file.hash)
    return true
  } catch (error) {
    if (error instanceof ObjectDamagedError) return false
    throw error
  }
}

/** A few at once, since each waits for its disk or its network. They share one generator, which ends for all when one fails. */
export async function eachFile(
  files: AsyncGenerator<StoredFile>,
  work: (file: StoredFile) => Promise<void>,
): Promise<number> {
  let count = 0
  const worker = async () => {
    for await (const file of files) {
      await work(file)
      count += 1
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, worker))
  const failed = ended.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return count
}
