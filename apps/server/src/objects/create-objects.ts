import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Store } from '../db/store.ts'
import { contentTypeOf } from './content-type.ts'
import { createFolderStore } from './folder-store.ts'
import {
  objectKey,
  ObjectDamagedError,
  type Expected,
  type ObjectStore,
  type Objects,
  type SavedObject,
} from './objects.ts'
import { createS3Store } from './s3-store.ts'

const oldDraftMs = 24 * 60 * 60_000

export function createObjectStore(config: Pick<Config, 'OBJECTS_URL' | 'DATA_DIR'>): ObjectStore {
  return config.OBJECTS_URL ? createS3Store(config.OBJECTS_URL) : createFolderStore(join(config.DATA_DIR, 'files'))
}

/** Drafts lie in a folder of our own, on the disk that is meant for data: a shared /tmp may be small, or somebody else's. */
export function createObjects(db: Store, store: ObjectStore, draftFolder: string): Objects {
  void removeOldDrafts(draftFolder)
  return {
    store,
    save: (schoolId, userId, body, expected) =>
      withDraft(draftFolder, async (draft) => {
        const object = await writeDraft(body, draft)
        if (expected) demandExpected(object, expected)
        await storeDraft(db, store, { schoolId, userId, object, draft })
        return object
      }),
    async find(schoolId, hash) {
      const row = await db
        .school(schoolId)
        .selectFrom('storedObject')
        .select(['hash', 'size', 'type'])
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row ?? null
    },
    open: (schoolId, hash, range) => store.get(objectKey(schoolId, hash), range),
  }
}

async function withDraft<T>(folder: string, work: (draft: string) => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, randomUUID())
  try {
    return await work(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/** What a crash left behind; younger ones may be another process's that is writing them now. */
async function removeOldDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const file = join(folder, name)
    const age = Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? Date.now())
    if (age > oldDraftMs) await rm(file, { force: true })
  }
}

/** The name is the content's hash, so it is read through once before it can be stored. */
async function writeDraft(body: Readable | Buffer, draft: string): Promise<SavedObject> {
  const hash = createHash('sha256')
  let size = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(null, chunk)
    },
  })
  const source = body instanceof Readable ? body : Readable.from([body])
  await pipeline(source, measure, createWriteStream(draft, { mode: 0o600 }))
  return { hash: hash.digest('hex'), size, type: await contentTypeOf(draft) }
}

function demandExpected({ size, hash }: SavedObject, expected: Expected): void {
  const isExpected = size === expected.size && (expected.sha256 === null || expected.sha256 === hash)
  if (!isExpected)
    throw new ObjectDamagedError(
      `expected ${expected.size} bytes with sha256 ${expected.sha256}, got ${size} with ${hash}`,
    )
}

type Draft = { schoolId: string; userId: string | null; object: SavedObject; draft: string }

async function storeDraft(db: Store, store: ObjectStore, { schoolId, userId, object, draft }: Draft): Promise<void> {
  const key = objectKey(schoolId, object.hash)
  if ((await store.size(key)) !== object.size) await store.put(key, createReadStream(draft), object.size, object.hash)
  // The bytes are there before the row says so; a crash between leaves a file that nobody names, never the reverse.
  await db
    .school(schoolId)
    .insertInto('storedObject')
    .values({ ...object, createdAt: Date.now(), createdBy: userId })
    .onConflict((conflict) => conflict.columns(['schoolId', 'hash']).doNothing())
    .execute()
}
