import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'

/** By what is in the file, never by its name: a renamed program stays what it is. */
export async function contentTypeOf(path: string): Promise<string> {
  const found = await fileTypeFromFile(path)
  if (found) return found.mime
  const start = await firstBytes(path, 4096)
  if (!isText(start)) return 'application/octet-stream'
  const text = start.toString('utf8').trimStart()
  if (/^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(text)) return 'image/svg+xml'
  return 'text/plain; charset=utf-8'
}

async function firstBytes(path: string, count: number): Promise<Buffer> {
  const handle = await open(path)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false
  try {
    // A character may be cut where the sample ends: stream leaves an unfinished one alone.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}
