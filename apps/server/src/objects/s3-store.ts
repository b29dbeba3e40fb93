import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsClient } from 'aws4fetch'
import { checking } from './folder-store.ts'
import { demandKey, demandPrefix, type ObjectStore } from './objects.ts'

const attempts = 4
/** For an answer to begin; and for what is sent, a second more a megabyte. */
const timeoutMs = 120_000
const bytesPerMs = 1000

type Place = { base: string; bucket: string; prefix: string; client: AwsClient }

/** https://KEY:SECRET@host/bucket/prefix?region=REGION, addressed by path, as every S3-compatible store understands. */
function placeOf(address: string): Place {
  const url = new URL(address)
  const [bucket = '', ...prefix] = url.pathname.split('/').filter(Boolean)
  if (!bucket || !url.username) throw new Error('OBJECTS_URL must name a key, a secret and a bucket')
  const protocol = url.protocol === 's3:' ? 'https:' : url.protocol
  return {
    base: `${protocol}//${url.host}`,
    bucket,
    prefix: prefix.length > 0 ? `${prefix.join('/')}/` : '',
    client: new AwsClient({
      accessKeyId: decodeURIComponent(url.username),
      secretAccessKey: decodeURIComponent(url.password),
      region: url.searchParams.get('region') ?? 'us-east-1',
      service: 's3',
      retries: 0,
    }),
  }
}

type Options = { query?: string; headers?: Record<string, string>; body?: () => Readable; size?: number }
type Send = (method: string, key: string, options?: Options) => Promise<Response>

export function createS3Store(address: string): ObjectStore {
  const place = placeOf(address)
  const send: Send = (method, key, options) => sendWithRetry(place, method, key, options ?? {})
  const sendFor: Send = async (method, key, options) => {
    demandKey(key)
    return send(method, key, options)
  }
  return {
    kind: 's3',
    async put(key, body, size, sha256) {
      demandKey(key)
      // A failed attempt is made again from the start, so what comes as a stream is kept until it has arrived.
      const draft = join(tmpdir(), `console-s3-${randomUUID()}`)
      try {
        await pipeline(body, checking(size, sha256), createWriteStream(draft, { mode: 0o600 }))
        const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha256 }
        await demandOk(await sendFor('PUT', key, { headers, size, body: () => createReadStream(draft) }), key)
      } finally {
        await rm(draft, { force: true })
      }
    },
    async get(key, range) {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {}
      const answer = await demandOk(await sendFor('GET', key, { headers }), key)
      return answer.body ? Readable.fromWeb(answer.body as never) : Readable.from([])
    },
    async size(key) {
      const answer = await sendFor('HEAD', key)
      await answer.body?.cancel()
      if (answer.status === 404) return null
      return Number((await demandOk(answer, key)).headers.get('content-length'))
    },
    async remove(key) {
      const answer = await sendFor('DELETE', key)
      await answer.body?.cancel()
      if (answer.status !== 404) await demandOk(answer, key)
    },
    list: (prefix) => listKeys(place, send, prefix),
  }
}

async function sendWithRetry(
  { base, bucket, prefix, client }: Place,
  method: string,
  key: string,
  { query = '', headers = {}, body, size = 0 }: Options,
): Promise<Response> {
  const path = key === '' ? bucket : `${bucket}/${prefix}${key}`
  const url = `${base}/${path}${query ? `?${query}` : ''}`
  for (let attempt = 1; ; attempt += 1) {
    // Only until the answer begins: whoever reads a large file slowly must not lose it in the middle.
    const patience = new AbortController()
    const timer = setTimeout(() => patience.abort(), timeoutMs + size / bytesPerMs)
    try {
      const content = body ? { body: Readable.toWeb(body()) as never, duplex: 'half' } : {}
      const unsigned = body ? { ...headers } : { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD', ...headers }
      const signed = await client.sign(url, { method, headers: unsigned })
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        signal: patience.signal,
        ...content,
      } as RequestInit)
      if (answer.status < 500 || attempt >= attempts) return answer
      await answer.body?.cancel()
    } catch (error) {
      if (attempt >= attempts) throw new Error(`the object store did not answer ${method} ${key}`, { cause: error })
    } finally {
      clearTimeout(timer)
    }
    await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** attempt))
  }
}

async function demandOk(answer: Response, key: string): Promise<Response> {
  if (answer.ok) return answer
  const text = await answer.text().catch(() => '')
  throw new Error(
    `the object store answered ${answer.status} for ${key}: ${/<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''}`,
  )
}

async function* listKeys({ prefix: root }: Place, send: Send, prefix: string): AsyncIterable<string> {
  demandPrefix(prefix)
  let next = ''
  do {
    const query = new URLSearchParams({
      'list-type': '2',
      prefix: `${root}${prefix}`,
      ...(next ? { 'continuation-token': next } : {}),
    })
    const answer = await demandOk(await send('GET', '', { query: query.toString() }), prefix)
    const text = await answer.text()
    for (const [, key = ''] of text.matchAll(/<Key>([^<]+)<\/Key>/g)) yield key.slice(root.length)
    next = unescaped(/<NextContinuationToken>([^<]+)</.exec(text)?.[1] ?? '')
  } while (next)
}

/** A token is any text; keys of ours hold nothing that would be escaped. */
const unescaped = (xml: string) =>
  xml.replace(/&(?:lt|gt|quot|apos|#(\d+)|#x([\da-f]+)|amp);/gi, (entity, decimal?: string, hex?: string) => {
    if (decimal || hex) return String.fromCodePoint(Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16))
    return { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" }[entity.toLowerCase()] ?? '&'
  })
