import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'

/** Each piece can be read in one way only: a comment that could be cut in several would be tried in all combinations. */
const svgStart = /^\ufeff?(<\?xml[^>]*>\s*)?((<!--(?:(?!-->)[\s\S])*-->|<!doctype svg[^>]*>)\s*)*<svg[\s/>]/i

/** By what is in the file, never by its name: a renamed program stays what it is. */
export async function contentTypeOf(path: string): Promise<string> {
  const found = await fileTypeFromFile(path)
  // An SVG that says it is XML is an SVG.
  if (found && found.mime !== 'application/xml') return found.mime
  const start = await firstBytes(path, 4096)
  if (!isText(start)) return found?.mime ?? 'application/octet-stream'
  const text = start.toString('utf8').trimStart()
  if (svgStart.test(text)) return 'image/svg+xml'
  if (found) return found.mime
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
