import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolderStore } from './folder-store.ts'
import type { ObjectStore } from './objects.ts'
import { createS3Store } from './s3-store.ts'
import { startS3 } from './testing-s3.ts'

type Opened = { store: ObjectStore; close: () => Promise<void> }

async function openFolder(): Promise<Opened> {
  const root = await mkdtemp(join(tmpdir(), 'console-objects-'))
  return { store: createFolderStore(root), close: () => rm(root, { recursive: true, force: true }) }
}

async function openS3(): Promise<Opened> {
  const s3 = await startS3()
  return { store: createS3Store(s3.url), close: s3.close }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const put = (store: ObjectStore, key: string, text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return store.put(key, Readable.from([bytes]), bytes.length, sha256(bytes))
}
const read = async (store: ObjectStore, key: string, range?: { start: number; end: number }) =>
  (await buffer(await store.get(key, range))).toString()
async function keysOf(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.list(prefix)) keys.push(key)
  return keys.sort()
}

describe.each([
  { name: 'folder', open: openFolder, many: 1050 },
  // s3rver makes its page tokens with DES, which OpenSSL has no more; the second page is proved below.
  { name: 's3', open: openS3, many: 990 },
])('$name', ({ open, many }) => {
  let opened: Opened
  let store: ObjectStore
  beforeAll(async () => {
    opened = await open()
    store = opened.store
  })
  afterAll(() => opened.close())

  test('what was put comes back, whole and in parts, and is gone when removed', async () => {
    await put(store, 'objects/a/one', '0123456789')
    expect(await read(store, 'objects/a/one')).toBe('0123456789')
    expect(await read(store, 'objects/a/one', { start: 2, end: 4 })).toBe('234')
    expect(await read(store, 'objects/a/one', { start: 9, end: 9 })).toBe('9')
    expect(await store.size('objects/a/one')).toBe(10)
    await store.remove('objects/a/one')
    expect(await store.size('objects/a/one')).toBeNull()
    await store.remove('objects/a/one')
    await expect(store.get('objects/a/one')).rejects.toThrow()
  })

  test('putting again replaces the whole, and a file of several megabytes arrives unchanged', async () => {
    await put(store, 'objects/a/two', 'first and longer')
    await put(store, 'objects/a/two', 'second')
    expect(await read(store, 'objects/a/two')).toBe('second')
    const large = Buffer.alloc(5_000_001, 'abcdefg')
    await store.put(
      'objects/a/large',
      Readable.from([large.subarray(0, 70_000), large.subarray(70_000)]),
      large.length,
      sha256(large),
    )
    expect((await buffer(await store.get('objects/a/large'))).equals(large)).toBe(true)
  })

  test('content that is not what was announced is refused, and the old stays', async () => {
    await put(store, 'objects/a/kept', 'kept')
    const bytes = Buffer.from('other')
    for (const [size, hash] of [
      [6, sha256(bytes)],
      [4, sha256(bytes)],
      [5, sha256(Buffer.from('OTHER'))],
    ] as const) {
      await expect(store.put('objects/a/kept', Readable.from([bytes]), size, hash)).rejects.toThrow()
    }
    const broken = new Readable({
      read() {
        this.destroy(new Error('cut'))
      },
    })
    await expect(store.put('objects/a/kept', broken, 5, sha256(bytes))).rejects.toThrow('cut')
    expect(await read(store, 'objects/a/kept')).toBe('kept')
    expect(await keysOf(store, 'objects/a/k')).toEqual(['objects/a/kept'])
  })

  test('a listing has every key below the prefix, however many', async () => {
    const names = Array.from({ length: many }, (_, at) => `many/x/${String(at).padStart(15, '0')}`)
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => put(store, name, 'x')))
    await put(store, 'many/y/other', 'x')
    expect(await keysOf(store, 'many/x/')).toEqual(names)
    expect(await keysOf(store, 'many/')).toHaveLength(many + 1)
    expect(await keysOf(store, 'many/x/00000000000098')).toHaveLength(10)
    expect(await keysOf(store, 'none/')).toEqual([])
  })

  test('a key that leads elsewhere is refused by every operation', async () => {
    for (const key of [
      '../out',
      'a/../../out',
      '/etc/passwd',
      'a//b',
      'a/./b',
      'a\\..\\b',
      '',
      '.hidden',
      'a/b?x=1',
      'a/%2e%2e/b',
      'a\0b',
      'a/',
    ]) {
      await expect(put(store, key, 'x'), key).rejects.toThrow(/not a key/)
      await expect(store.get(key), key).rejects.toThrow(/not a key/)
      await expect(store.size(key), key).rejects.toThrow(/not a key/)
      await expect(store.remove(key), key).rejects.toThrow(/not a key/)
    }
    for (const prefix of ['../', 'a/../../', '/etc/'])
      await expect(keysOf(store, prefix), prefix).rejects.toThrow(/not a/)
  })

  test('what has not arrived whole is never listed', async () => {
    let feed: (bytes: Buffer | null) => void = () => undefined
    const slow = new Readable({ read: () => undefined })
    feed = (bytes) => slow.push(bytes)
    const bytes = Buffer.from('half')
    const putting = store.put('slow/one', slow, 4, sha256(bytes))
    feed(bytes.subarray(0, 2))
    expect(await keysOf(store, 'slow/')).toEqual([])
    expect(await store.size('slow/one')).toBeNull()
    feed(bytes.subarray(2))
    feed(null)
    await putting
    expect(await keysOf(store, 'slow/')).toEqual(['slow/one'])
  })
})

test("a folder below the bucket is nobody else's", async () => {
  const s3 = await startS3()
  try {
    const [one, two] = ['school-one', 'school-one-b/deep'].map((folder) =>
      createS3Store(s3.url.replace('?', `/${folder}?`)),
    ) as [ObjectStore, ObjectStore]
    await put(one, 'objects/a', '1')
    await put(two, 'objects/a', '2')
    expect([await read(one, 'objects/a'), await read(two, 'objects/a')]).toEqual(['1', '2'])
    expect([await keysOf(one, ''), await keysOf(two, '')]).toEqual([['objects/a'], ['objects/a']])
  } finally {
    await s3.close()
  }
})

test('pages follow each other by whatever token the store gives, and a listing that fails is not an empty one', async () => {
  const token = 'a+b/c="<&>\'数'
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://s3').searchParams
    asked.push(query.get('continuation-token'))
    if (query.get('prefix') === 'below/denied/')
      return response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    const keys = Array.from(
      { length: 1000 },
      (_, at) => `<Contents><Key>below/p/${asked.length}-${at}</Key></Contents>`,
    ).join('')
    const more =
      asked.length < 3 ? '<NextContinuationToken>a+b/c=&quot;&lt;&amp;&gt;&#39;&#x6570;</NextContinuationToken>' : ''
    return response.end(`<?xml version="1.0"?><ListBucketResult>${keys}${more}</ListBucketResult>`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const store = createS3Store(`http://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/files/below`)
    const keys = await keysOf(store, 'p/')
    expect([keys.length, new Set(keys).size, keys.every((key) => key.startsWith('p/'))]).toEqual([3000, 3000, true])
    expect(asked).toEqual([null, token, token])
    await expect(keysOf(store, 'denied/')).rejects.toThrow(/403.*AccessDenied/)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a key that the store does not know is told as what it is, and an address without a bucket is refused', async () => {
  const s3 = await startS3()
  try {
    const stranger = createS3Store(s3.url.replace('S3RVER:S3RVER', 'NOBODY:S3RVER'))
    await expect(put(stranger, 'a/b', 'x')).rejects.toThrow(/403.*InvalidAccessKeyId/)
    await expect(stranger.size('a/b')).rejects.toThrow(/403/)
    expect(() => createS3Store('https://key:secret@host/')).toThrow(/bucket/)
  } finally {
    await s3.close()
  }
})

test('a store that fails for a moment is asked again, with the whole file', async () => {
  const bodies: number[] = []
  const server = createServer(async (request, response) => {
    bodies.push((await buffer(request)).length)
    response.writeHead(bodies.length < 3 ? 503 : 200).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const store = createS3Store(`http://key:secret@127.0.0.1:${(server.address() as AddressInfo).port}/files`)
    await put(store, 'a/b', 'x'.repeat(100_000))
    expect(bodies).toEqual([100_000, 100_000, 100_000])
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('a folder keeps files for their owner only, and no draft stays behind', async () => {
  const root = await mkdtemp(join(tmpdir(), 'console-objects-'))
  const store = createFolderStore(root)
  await put(store, 'objects/a', 'x')
  await expect(store.put('objects/b', Readable.from([Buffer.from('x')]), 2, 'no')).rejects.toThrow()
  expect(await readdir(join(root, 'objects'))).toEqual(['a'])
  expect(await readFile(join(root, 'objects', 'a'), 'utf8')).toBe('x')
  await rm(root, { recursive: true })
})
