import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { newId } from '../../db/ids.ts'
import type { Database } from '../../db/schema.ts'
import type { Db, ReadDb } from '../../db/store.ts'
import { AppError, notFound } from '../../http/app-error.ts'
import type { SignedContext } from '../../http/context.ts'
import { ObjectDamagedError, type SavedObject } from '../../objects/objects.ts'
import type { Services } from '../../services.ts'
import { bytesOf, chunkKeys, removeAll, wholeOf } from './chunks.ts'

export type UploadRow = Selectable<Database['upload']>

type Begin = { name: string; size: number; key?: string | undefined; sha256?: string | undefined }

const lifeMs = 7 * 24 * 60 * 60_000

export async function selectUpload(db: ReadDb, userId: string, id: string): Promise<UploadRow> {
  const row = await db
    .selectFrom('upload')
    .selectAll()
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  if (!row) throw notFound()
  return row
}

/** An unfinished upload of the same file goes on where it stopped, also after a reload or on another day. */
export async function selectOptionalResumable(
  db: ReadDb,
  userId: string,
  { key, size, sha256 }: Begin,
  now: number,
): Promise<UploadRow | null> {
  if (!key) return null
  const row = await db
    .selectFrom('upload')
    .selectAll()
    .where('userId', '=', userId)
    .where('resumeKey', '=', key)
    .where('size', '=', size)
    .where('sha256', sha256 ? '=' : 'is', sha256 ?? null)
    .where('state', '=', 'open')
    .where('expiresAt', '>', now)
    .executeTakeFirst()
  return row ?? null
}

export async function beginUpload({ change, session, now }: SignedContext, body: Begin): Promise<UploadRow> {
  const id = newId()
  const entry = {
    action: 'upload.begin',
    targetKind: 'upload',
    targetId: id,
    data: { name: body.name, size: body.size },
  }
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

/** A chunk that came too late for its place takes itself away in less than this. */
const settleAttempts = 10
const settleMs = 100

class UnsettledError extends ObjectDamagedError {}

/**
 * Asking again finishes what a crash interrupted: the chunks go only after the row says complete. Two may ask at once,
 * and the one that comes second finds them gone and the row complete.
 */
export async function completeUpload(context: SignedContext, upload: UploadRow): Promise<UploadRow> {
  const { services, session, read } = context
  const { store } = services.objects
  for (let attempt = 1; ; attempt += 1) {
    const keys = await chunkKeys(store, session.schoolId, upload.id)
    try {
      return await completeWith(context, upload, keys)
    } catch (error) {
      const row = await selectUpload(read, session.userId, upload.id)
      if (row.state === 'complete') return row
      const isMoving =
        error instanceof UnsettledError || keys.join() !== (await chunkKeys(store, session.schoolId, upload.id)).join()
      if (isMoving && attempt < settleAttempts) {
        await setTimeout(settleMs)
        continue
      }
      if (!(error instanceof ObjectDamagedError)) throw error
      await startOver(services, session.schoolId, upload.id)
      await removeAll(store, keys)
      throw new AppError('upload.checksum', { cause: error })
    }
  }
}

async function completeWith(context: SignedContext, upload: UploadRow, keys: readonly string[]): Promise<UploadRow> {
  const saved = await saveWhole(context, upload, wholeOf(keys, upload.size))
  const entry = { action: 'upload.complete', targetKind: 'upload', targetId: upload.id, data: { ...saved } }
  const row = await context.change(entry, (db) => markComplete(db, upload.id, saved))
  await removeAll(context.services.objects.store, keys)
  return row
}

async function saveWhole(
  { services, session }: SignedContext,
  { size, sha256 }: UploadRow,
  keys: readonly string[] | null,
): Promise<SavedObject> {
  if (!keys) throw new UnsettledError('the chunks do not make up the file')
  const body = Readable.from(bytesOf(services.objects.store, keys))
  return services.objects.save(session.schoolId, session.userId, body, { size, sha256 })
}

function markComplete(db: Db, id: string, { hash, type }: SavedObject): Promise<UploadRow> {
  return (
    db
      .updateTable('upload')
      .set({ state: 'complete', hash, type })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returningAll()
      // Whoever was faster may not have committed yet: who asks now would still see it open.
      .executeTakeFirstOrThrow(() => new UnsettledError('the upload was completed or cancelled meanwhile'))
  )
}

async function startOver(services: Services, schoolId: string, id: string): Promise<void> {
  await services.store
    .school(schoolId)
    .updateTable('upload')
    .set({ received: 0 })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .execute()
}
