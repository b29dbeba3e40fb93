import * as contract from '@console/contract'
import { AppError, notFound } from '../../http/app-error.ts'
import { handle, type Route } from '../../http/context.ts'
import { addChunk, chunkKeys, removeAll } from './chunks.ts'
import { beginUpload, completeUpload, selectOptionalResumable, selectUpload, type UploadRow } from './commands.ts'
import { fileAnswer } from './download.ts'

const present = (row: UploadRow) => ({
  id: row.id,
  name: row.name,
  size: row.size,
  received: row.received,
  state: row.state,
  hash: row.hash,
  type: row.type,
})

export const uploadRoutes: Route[] = [
  handle(contract.uploadBegin, async (context) => {
    const { services, read, session, body, now } = context
    const limit = services.config.UPLOAD_LIMIT_MB
    if (body.size > limit * 1024 * 1024) throw new AppError('upload.tooLarge', { params: { limit: `${limit} MB` } })
    const earlier = await selectOptionalResumable(read, session.userId, body, now)
    return present(earlier ?? (await beginUpload(context, body)))
  }),

  handle(contract.uploadStatus, async ({ read, session, params }) =>
    present(await selectUpload(read, session.userId, params.id)),
  ),

  handle(contract.uploadChunk, async (context) => {
    const { services, read, session, params, query, bytes } = context
    const upload = await selectUpload(read, session.userId, params.id)
    // The answer to the last chunk may have been lost: the same question gets the same answer.
    if (upload.state === 'complete') return present(upload)
    const isAll = upload.received === upload.size
    const received = isAll ? upload.size : await addChunk(services, session.schoolId, upload, query.offset, bytes)
    return present(received === upload.size ? await completeUpload(context, upload) : { ...upload, received })
  }),

  handle(contract.uploadCancel, async ({ services, read, change, session, params }) => {
    const upload = await selectUpload(read, session.userId, params.id)
    await change(
      { action: 'upload.cancel', targetKind: 'upload', targetId: upload.id, data: { name: upload.name } },
      async (db) => {
        await db.deleteFrom('upload').where('id', '=', upload.id).execute()
      },
    )
    const { store } = services.objects
    await removeAll(store, await chunkKeys(store, session.schoolId, upload.id))
    return null
  }),

  handle(contract.objectDownload, async ({ services, session, params, query, headers }) => {
    const object = await services.objects.find(session.schoolId, params.hash)
    if (!object) throw notFound()
    return fileAnswer(object, query.name ?? object.hash.slice(0, 16), headers, (range) =>
      services.objects.open(session.schoolId, object.hash, range),
    )
  }),
]
