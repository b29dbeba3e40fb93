import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { chunkLimit } from '@console/contract'
import { AppError } from '../../http/app-error.ts'
import { chunkKey, type ObjectStore } from '../../objects/objects.ts'
import type { Services } from '../../services.ts'
import type { UploadRow } from './commands.ts'

type Chunk = { key: string; offset: number; length: number; hash: string }

/**
 * Each chunk is a file of its own, so that any of several servers can take the next one. It counts only when it has
 * arrived whole: a connection that breaks in the middle leaves the upload where it was. Two that come for the same place
 * lie beside each other until the row has said which of them counts; the other takes itself away.
 */
export async function addChunk(
  services: Services,
  schoolId: string,
  upload: UploadRow,
  offset: number,
  bytes: Readable,
): Promise<number> {
  if (offset !== upload.received) throw new AppError('upload.wrongOffset', { params: { expected: upload.received } })
  const chunk = await readChunk(bytes, upload.size - offset)
  if (chunk.length === 0) throw new AppError('upload.empty')
  const hash = createHash('sha256').update(chunk).digest('hex')
  const { store } = services.objects
  const key = `${chunkKey(schoolId, upload.id, offset)}-${chunk.length}-${hash}-${randomBytes(8).toString('hex')}`
  await store.put(key, Readable.from([chunk]), chunk.length, hash)
  const received = offset + chunk.length
  const moved = await services.store
    .school(schoolId)
    .updateTable('upload')
    .set({ received })
    .where('id', '=', upload.id)
    .where('received', '=', offset)
    .where('state', '=', 'open')
    .returning('id')
    .executeTakeFirst()
  if (moved) return received
  await store.remove(key)
  throw new AppError('upload.wrongOffset', { params: { expected: await expectedOffset(services, schoolId, upload) } })
}

async function expectedOffset(services: Services, schoolId: string, upload: UploadRow): Promise<number> {
  const row = await services.store
    .school(schoolId)
    .selectFrom('upload')
    .select('received')
    .where('id', '=', upload.id)
    .executeTakeFirst()
  return row?.received ?? 0
}

async function readChunk(bytes: Readable, rest: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkLimit, rest))
  let size = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    // What does not fit is still read: to leave it would cut the connection before the refusal has got through.
    if (size + piece.length <= chunk.length) piece.copy(chunk, size)
    size += piece.length
  }
  if (size > chunk.length) throw new AppError('upload.tooLarge', { params: { limit: `${chunk.length} B` } })
  return chunk.subarray(0, size)
}

/** All that lie there, in the order of their places. */
export async function chunkKeys(store: ObjectStore, schoolId: string, uploadId: string): Promise<string[]> {
  const keys: string[] = []
  const folder = chunkKey(schoolId, uploadId, 0).replace(/[^/]*$/, '')
  for await (const key of store.list(folder)) keys.push(key)
  return keys.toSorted()
}

/** The keys that make up the whole; null when a place is empty, or when a crash left two different chunks for one. */
export function wholeOf(keys: readonly string[], size: number): string[] | null {
  const chunks = keys.map(chunkOf).filter((chunk) => chunk !== null)
  const places = Map.groupBy(chunks, ({ offset }) => offset)
  const whole: string[] = []
  let at = 0
  while (at < size) {
    const here = places.get(at) ?? []
    const [first] = here
    if (!first || here.some(({ length, hash }) => length !== first.length || hash !== first.hash)) return null
    whole.push(first.key)
    at += first.length
  }
  return at === size ? whole : null
}

function chunkOf(key: string): Chunk | null {
  const match = /\/(\d{15})-(\d+)-([0-9a-f]{64})-[0-9a-f]+$/.exec(key)
  return match ? { key, offset: Number(match[1]), length: Number(match[2]), hash: match[3] ?? '' } : null
}

export async function* bytesOf(store: ObjectStore, keys: readonly string[]): AsyncIterable<Buffer> {
  for (const key of keys) yield* (await store.get(key)) as AsyncIterable<Buffer>
}

export async function removeAll(store: ObjectStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.remove(key)
}
