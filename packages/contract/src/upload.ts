import { z } from 'zod'
import { binary, endpoint } from './endpoint.ts'
import * as f from './fields.ts'

export const chunkLimit = 8 * 1024 * 1024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/, f.code('error.field.format'))

export const uploadState = z.object({
  id: f.id,
  name: z.string(),
  size: z.number().int(),
  received: z.number().int(),
  state: z.enum(['open', 'complete']),
  /** Of the content; known when complete. */
  hash: z.string().nullable(),
  /** By the content, never by the name. */
  type: z.string().nullable(),
})

export const uploadBegin = endpoint('POST /api/upload', {
  access: 'signed-in',
  summary: 'Begin a resumable upload; the same key (name, size, time of the file) finds an unfinished one again',
  body: z.object({
    name: f.requiredText(255),
    size: z.number().int().min(1, f.code('error.upload.empty')),
    key: f.text(200).optional(),
    sha256: sha256.optional(),
  }),
  data: uploadState,
})
export const uploadStatus = endpoint('GET /api/upload/{id}', {
  access: 'signed-in',
  summary: 'How much has arrived',
  params: z.object({ id: f.id }),
  data: uploadState,
})
export const uploadChunk = endpoint('PATCH /api/upload/{id}', {
  access: 'signed-in',
  summary: 'The next bytes, from the offset on; the last of them completes the upload',
  params: z.object({ id: f.id }),
  query: z.object({ offset: z.coerce.number<string | number>().int().min(0) }),
  bytes: { limit: chunkLimit },
  data: uploadState,
})
export const uploadCancel = endpoint('DELETE /api/upload/{id}', {
  access: 'signed-in',
  summary: 'Forget an upload',
  params: z.object({ id: f.id }),
  data: z.null(),
})
export const objectDownload = endpoint('GET /api/object/{hash}', {
  access: 'signed-in',
  summary: 'The bytes of a stored file of the school; takes a Range header',
  params: z.object({ hash: sha256 }),
  query: z.object({ name: f.text(255).optional() }),
  data: binary,
})
