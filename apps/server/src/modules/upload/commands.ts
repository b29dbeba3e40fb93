import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { newId } from '../../db/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { ReadDb } from '../../db/store.ts'
import { AppError, notFound } from '../../http/app-error.ts'
import type { SignedContext } from '../../http/context.ts'
import { chunkKey, type SavedObject } from '../../objects/objects.ts'
import type { Services } from '../../services.ts'

export type UploadRow = Selectable<Database['upload']>

const lifeMs = 7 * 24 * 60 * 60_000

export async function selectUpload(db: ReadDb, userId: string, id: string): Promise<UploadRow> {
  const row = await db.selectFrom('upload').selectAll().where('id', '=', id).where('userId', '=', userId).executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** An unfinished upload of the same file goes on where it stopped, also after a reload or on another day. */
export async function selectOptionalResumable(db: ReadDb, userId: string, key: string | undefined, size: number, now: number): Promise<UploadRow | null> {
  if (!key) return null
  const row = await db
    .selectFrom('upload')
    .selectAll()
    .where('userId', '=', userId)
    .where('resumeKey', '=', key)
    .where('size', '=', size)
    .where('state', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

type Begin = { name: string; size: number; key?: string | undefined; sha256?: string | undefined }

export async function beginUpload({ change, session, now }: SignedContext, body: Begin): Promise<UploadRow> {
  const id = newId()
  const entry = { action: 'upload.begin', targetKind: 'upload', targetId: id, data: { name: body.name, size: body.size } }
  return change(entry, (db) =>
    db
      .insertInto('upload')
      .values({
        id,
        userId: session.userId,
        name: body.name,
        size: body.size,
        received: 0,
        resumeKey: body.key ?? null,
        sha256: body.sha256 ?? null,
        state: 'open',
        createdAt: now,
        expiresAt: now + lifeMs,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
}

/**
 * Each chunk is a file of its own, so that any of several servers can take the next one. It counts only when it has
 * arrived whole: a connection that breaks in the middle leaves the upload where it was.
 */
export async function addChunk(services: Services, schoolId: string, upload: UploadRow, offset: number, bytes: Readable): Promise<number> {
  if (offset !== upload.received) throw new AppError('upload.wrongOffset', { params: { expected: upload.received } })
  const chunk = await readChunk(bytes, upload.size - offset)
  if (chunk.length === 0) throw new AppError('upload.empty')
  const sha256 = createHash('sha256').update(chunk).digest('hex')
  await services.objects.store.put(chunkKey(schoolId, upload.id, offset), Readable.from([chunk]), chunk.length, sha256)
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
  if (!moved) throw new AppError('upload.wrongOffset', { params: { expected: received } })
  return received
}

async function readChunk(bytes: Readable, most: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > most) throw new AppError('upload.tooLarge', { params: { limit: `${most} B` } })
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** Asking again finishes what a crash interrupted: the chunks go only after the row says complete. */
export async function completeUpload({ services, session, change }: SignedContext, upload: UploadRow): Promise<UploadRow> {
  const keys = await chunkKeys(services, session.schoolId, upload.id)
  const saved = await services.objects.save(session.schoolId, session.userId, Readable.from(allChunks(services, keys)))
  if (saved.size !== upload.size || (upload.sha256 !== null && upload.sha256 !== saved.hash)) {
    await startOver(services, session.schoolId, upload, keys)
    throw new AppError('upload.checksum')
  }
  const entry = { action: 'upload.complete', targetKind: 'upload', targetId: upload.id, data: { ...saved } }
  const row = await change(entry, (db) => markComplete(db, upload.id, saved))
  await removeAll(services, keys)
  return row
}

const markComplete = (db: Parameters<Parameters<SignedContext['change']>[1]>[0], id: string, { hash, type }: SavedObject) =>
  db.updateTable('upload').set({ state: 'complete', hash, type }).where('id', '=', id).returningAll().executeTakeFirstOrThrow()

async function startOver(services: Services, schoolId: string, upload: UploadRow, keys: readonly string[]): Promise<void> {
  await services.store.school(schoolId).updateTable('upload').set({ received: 0 }).where('id', '=', upload.id).execute()
  await removeAll(services, keys)
}

export async function chunkKeys(services: Services, schoolId: string, uploadId: string): Promise<string[]> {
  const keys: string[] = []
  // The offset before which to list is the folder of the upload: its chunks sort by their offset.
  const folder = chunkKey(schoolId, uploadId, 0).replace(/[^/]*$/, '')
  for await (const key of services.objects.store.list(folder)) keys.push(key)
  return keys.sort()
}

async function* allChunks(services: Services, keys: readonly string[]): AsyncIterable<Buffer> {
  for (const key of keys) yield* (await services.objects.store.get(key)) as AsyncIterable<Buffer>
}

export async function removeAll(services: Services, keys: readonly string[]): Promise<void> {
  for (const key of keys) await services.objects.store.remove(key)
}
