import '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'
import type { UploadedFile } from './context.ts'

/** Small forms only, read into memory within the limits that the plugin was registered with; large files are uploads. */
export async function readForm(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; files: UploadedFile[] }> {
  if (!request.isMultipart()) throw new AppError('request.unsupportedType')
  const fields: [string, string][] = []
  const files: UploadedFile[] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') files.push({ field: part.fieldname, name: part.filename, bytes: await part.toBuffer() })
      else fields.push([part.fieldname, String(part.value)])
    }
  } catch (error) {
    // The parser speaks of a broken form by plain errors without a code.
    if (error instanceof Error && !('code' in error)) throw new AppError('request.malformed', { cause: error })
    throw error
  }
  return { fields: Object.fromEntries(fields), files }
}
