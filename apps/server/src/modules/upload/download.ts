import type { IncomingHttpHeaders } from 'node:http'
import type { FileAnswer } from '../../http/context.ts'
import type { ByteRange, SavedObject } from '../../objects/objects.ts'
import type { Readable } from 'node:stream'

/** Types that a browser may show in place: none of them runs anything. SVG and HTML are always handed out as files. */
const shownInPlace = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'])

export type Wanted = { kind: 'all' } | { kind: 'part'; range: ByteRange } | { kind: 'none' }

/** One range, as browsers and viewers ask for; several at once are answered with the whole. */
function wantedRange(header: string | undefined, size: number): Wanted {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return { kind: 'all' }
  const [, first = '', last = ''] = match
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // Backwards is no range at all, and what is not understood is left aside.
  if (first !== '' && last !== '' && Number(first) > Number(last)) return { kind: 'all' }
  return start > end || start >= size ? { kind: 'none' } : { kind: 'part', range: { start, end } }
}

export async function fileAnswer(
  object: SavedObject,
  name: string,
  headers: IncomingHttpHeaders,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<FileAnswer> {
  const etag = `"${object.hash}"`
  const shared = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': disposition(object.type, name),
  }
  if (headers['if-none-match']?.includes(etag))
    return { status: 304, type: object.type, length: 0, headers: shared, body: Buffer.alloc(0) }
  const ifRange = headers['if-range']
  const wanted: Wanted =
    ifRange !== undefined && ifRange !== etag ? { kind: 'all' } : wantedRange(headers.range, object.size)
  if (wanted.kind === 'none') {
    return {
      status: 416,
      type: object.type,
      length: 0,
      headers: { ...shared, 'cache-control': 'no-store', 'content-range': `bytes */${object.size}` },
      body: Buffer.alloc(0),
    }
  }
  if (wanted.kind === 'all') return { type: object.type, length: object.size, headers: shared, body: await open() }
  const { start, end } = wanted.range
  return {
    status: 206,
    type: object.type,
    length: end - start + 1,
    headers: { ...shared, 'content-range': `bytes ${start}-${end}/${object.size}` },
    body: await open(wanted.range),
  }
}

/** RFC 6266: a plain name for old readers and the real one, in any language, for the others. */
function disposition(type: string, name: string): string {
  const kind = shownInPlace.has(type.split(';')[0] ?? '') ? 'inline' : 'attachment'
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
