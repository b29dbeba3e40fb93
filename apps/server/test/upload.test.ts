import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import * as contract from '@console/contract'
import { chunkLimit, type Client } from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chunkKey } from '../src/objects/objects.ts'
import { addChunk, chunkKeys } from '../src/modules/upload/chunks.ts'
import { selectUpload } from '../src/modules/upload/commands.ts'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
let teacher: Awaited<ReturnType<TestServer['signIn']>>
beforeAll(async () => {
  server = await startTestServer({ UPLOAD_LIMIT_MB: '300' })
  school = await server.addSchool()
  teacher = await server.signIn(school.teacher.phone)
})
afterAll(() => server.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const begin = (size: number, more: { key?: string; sha256?: string; name?: string } = {}) =>
  teacher.client.call(contract.uploadBegin, { body: { name: 'a.bin', size, ...more } })
const send = (id: string, offset: number, bytes: Uint8Array<ArrayBuffer>, client: Client = teacher.client) =>
  client.call(contract.uploadChunk, { params: { id }, query: { offset }, bytes })
const status = (id: string) => teacher.client.call(contract.uploadStatus, { params: { id } })
const chunksOf = (id: string) => chunkKeys(server.services.objects.store, school.schoolId, id)
const download = async (hash: string) =>
  Buffer.from(await (await teacher.client.call(contract.objectDownload, { params: { hash } })).arrayBuffer())
const rowOf = (id: string) => selectUpload(server.services.store.school(school.schoolId), school.teacher.id, id)
const auditOf = (id: string) =>
  server.services.store
    .school(school.schoolId)
    .selectFrom('audit')
    .select('action')
    .where('targetId', '=', id)
    .orderBy('id')
    .execute()

/** Bytes without an announced length, ended or cut when `feed` is done. */
function rawChunk(
  id: string,
  offset: number,
  headers: Record<string, string>,
  feed: (write: (bytes: Buffer) => Promise<void>) => Promise<'end' | 'cut'>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${server.url}/api/upload/${id}?offset=${offset}`, {
      method: 'PATCH',
      headers: { authorization: teacher.token, 'content-type': 'application/octet-stream', ...headers },
    })
    call.on('response', (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    call.on('error', () => resolve(0))
    const write = (bytes: Buffer) => new Promise<void>((done) => call.write(bytes, () => done()))
    feed(write).then((how) => (how === 'end' ? call.end() : call.destroy()), reject)
  })
}

test('chunk after chunk, the last one completes, and asking for it again gives the same answer', async () => {
  const bytes = randomBytes(100_000)
  const { id } = await begin(bytes.length, { sha256: sha256(bytes) })
  expect(await send(id, 0, bytes.subarray(0, 40_000))).toMatchObject({ state: 'open', received: 40_000, hash: null })
  expect(await send(id, 40_000, bytes.subarray(40_000, 99_999))).toMatchObject({ received: 99_999 })
  const done = await send(id, 99_999, bytes.subarray(99_999))
  expect(done).toMatchObject({
    state: 'complete',
    received: 100_000,
    hash: sha256(bytes),
    type: 'application/octet-stream',
  })
  expect(await send(id, 99_999, bytes.subarray(99_999))).toEqual(done)
  expect(await status(id)).toEqual(done)
  expect((await download(sha256(bytes))).equals(bytes)).toBe(true)
  expect(await chunksOf(id)).toEqual([])
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(['upload.begin', 'upload.complete'])
})

test('a connection that is cut in the middle changes nothing, and the same key goes on where it stopped', async () => {
  const bytes = randomBytes(50_000)
  const { id } = await begin(bytes.length, { key: 'cut' })
  await send(id, 0, bytes.subarray(0, 20_000))
  await rawChunk(id, 20_000, { 'content-length': '30000' }, async (write) => {
    await write(bytes.subarray(20_000, 45_000))
    return 'cut'
  })
  expect(await status(id)).toMatchObject({ received: 20_000, state: 'open' })
  const again = await begin(bytes.length, { key: 'cut' })
  expect(again).toMatchObject({ id, received: 20_000 })
  expect((await begin(bytes.length, { key: 'cut', sha256: sha256(bytes) })).id).not.toBe(id)
  expect((await begin(bytes.length + 1, { key: 'cut' })).id).not.toBe(id)
  expect(await send(id, 20_000, bytes.subarray(20_000))).toMatchObject({ state: 'complete', hash: sha256(bytes) })
  expect((await begin(bytes.length, { key: 'cut' })).id).not.toBe(id)
})

test('a wrong place, an empty chunk and one that is larger than what is missing are refused', async () => {
  const { id } = await begin(1000)
  const wrong = await refusal(send(id, 10, randomBytes(5)))
  expect(wrong).toMatchObject({ error: 'upload.wrongOffset', status: 409 })
  expect(wrong.msg).toContain('0')
  expect((await refusal(send(id, 0, new Uint8Array(0)))).error).toBe('upload.empty')
  expect((await refusal(send(id, 0, randomBytes(1001)))).error).toBe('upload.tooLarge')
  expect(await rawChunk(id, 0, {}, async (write) => (await write(randomBytes(1001)), 'end'))).toBe(413)
  expect(await status(id)).toMatchObject({ received: 0 })
  expect((await refusal(begin(0))).error).toBe('request.invalid')
  expect(await refusal(begin(301 * 1024 * 1024))).toMatchObject({ error: 'upload.tooLarge', status: 413 })
})

test('a chunk is limited also when it does not say how long it is', async () => {
  const { id } = await begin(chunkLimit * 2)
  expect((await refusal(send(id, 0, new Uint8Array(chunkLimit + 1)))).status).toBe(413)
  const piece = Buffer.alloc(1024 * 1024)
  const answer = await rawChunk(id, 0, {}, async (write) => {
    for (let at = 0; at < 9; at += 1) await write(piece)
    return 'end'
  })
  expect(answer).toBe(413)
  expect(await status(id)).toMatchObject({ received: 0 })
  expect(await chunksOf(id)).toEqual([])
})

test("two chunks for one place at once: one counts, the other hears where to go on, and the content is the winner's", async () => {
  for (let round = 0; round < 10; round += 1) {
    const contents = [Buffer.alloc(5000, `a${round}`), Buffer.alloc(5000, `b${round}`), Buffer.alloc(3000, `c${round}`)]
    const { id } = await begin(5000)
    const results = await Promise.allSettled(contents.map((bytes) => send(id, 0, bytes)))
    const row = await status(id)
    const refused = results
      .filter((result) => result.status === 'rejected')
      .map((result) => (result.reason as { details: { error: string } }).details.error)
    expect(
      refused.every((error) => error === 'upload.wrongOffset'),
      refused.join(),
    ).toBe(true)
    // The short one may have won: then the rest is still to come, and is added to what it brought.
    const rest = Buffer.alloc(5000 - row.received, 'd')
    const end = row.state === 'complete' ? row : await send(id, row.received, rest)
    const possible = [contents[0], contents[1], Buffer.concat([contents[2] ?? rest, Buffer.alloc(2000, 'd')])].map(
      (bytes) => bytes ?? rest,
    )
    const stored = await download(end.hash ?? '')
    expect(possible.some((bytes) => bytes.equals(stored))).toBe(true)
    expect(sha256(stored)).toBe(end.hash)
    expect(await chunksOf(id)).toEqual([])
  }
})

test('content that is not what was announced is not stored, and can be sent again', async () => {
  const bytes = randomBytes(3000)
  const { id } = await begin(3000, { sha256: sha256(bytes), key: 'again' })
  const other = randomBytes(3000)
  expect((await refusal(send(id, 0, other))).error).toBe('upload.checksum')
  expect(await server.services.objects.find(school.schoolId, sha256(other))).toBeNull()
  expect(await begin(3000, { sha256: sha256(bytes), key: 'again' })).toMatchObject({ id, received: 0 })
  expect(await send(id, 0, bytes)).toMatchObject({ state: 'complete', hash: sha256(bytes) })
})

test('what a crash interrupted between the last chunk and the end is finished by asking again', async () => {
  const bytes = randomBytes(9000)
  const { id } = await begin(9000)
  await addChunk(server.services, school.schoolId, await rowOf(id), 0, Readable.from([bytes.subarray(0, 5000)]))
  await addChunk(server.services, school.schoolId, await rowOf(id), 5000, Readable.from([bytes.subarray(5000)]))
  expect(await status(id)).toMatchObject({ state: 'open', received: 9000 })
  const answers = await Promise.all([1, 2, 3].map(() => send(id, 9000, new Uint8Array(0))))
  for (const answer of answers) expect(answer).toMatchObject({ state: 'complete', hash: sha256(bytes) })
  expect((await auditOf(id)).map(({ action }) => action)).toEqual(['upload.begin', 'upload.complete'])
  expect((await download(sha256(bytes))).equals(bytes)).toBe(true)
})

test('a chunk that a crash left beside the one that counts never gets into the content', async () => {
  const { store } = server.services.objects
  const bytes = randomBytes(4000)
  const { id } = await begin(4000)
  const stray = randomBytes(2000)
  await store.put(
    `${chunkKey(school.schoolId, id, 0)}-2000-${sha256(stray)}-00`,
    Readable.from([stray]),
    2000,
    sha256(stray),
  )
  await send(id, 0, bytes.subarray(0, 2000))
  expect((await refusal(send(id, 2000, bytes.subarray(2000)))).error).toBe('upload.checksum')
  expect(await send(id, 0, bytes)).toMatchObject({ state: 'complete', hash: sha256(bytes) })
})

test('a cancelled upload is gone with its bytes', async () => {
  const { id } = await begin(4000)
  await send(id, 0, randomBytes(1000))
  expect(await chunksOf(id)).toHaveLength(1)
  await teacher.client.call(contract.uploadCancel, { params: { id } })
  expect((await refusal(status(id))).status).toBe(404)
  expect((await refusal(send(id, 1000, randomBytes(1000)))).status).toBe(404)
  expect(await chunksOf(id)).toEqual([])
})

test('what belongs to somebody else, or to another school, is not there', async () => {
  const other = await server.addSchool()
  const strangers = [await server.signIn(school.administrator.phone), await server.signIn(other.teacher.phone)]
  const bytes = randomBytes(2000)
  const { id } = await begin(2000)
  await send(id, 0, bytes.subarray(0, 1000))
  for (const { client } of strangers) {
    expect((await refusal(client.call(contract.uploadStatus, { params: { id } }))).status).toBe(404)
    expect((await refusal(send(id, 1000, bytes.subarray(1000), client))).status).toBe(404)
    expect((await refusal(client.call(contract.uploadCancel, { params: { id } }))).status).toBe(404)
  }
  const { hash } = await send(id, 1000, bytes.subarray(1000))
  const file = { params: { hash: hash ?? '' } }
  expect((await refusal(strangers[1]?.client.call(contract.objectDownload, file) ?? Promise.resolve())).status).toBe(
    404,
  )
  expect((await refusal(server.client().call(contract.objectDownload, file))).code).toBe(401)
  expect((await refusal(server.client().call(contract.uploadBegin, { body: { name: 'a', size: 1 } }))).code).toBe(401)
})

test('a large file is never in memory as a whole', async () => {
  const chunk = randomBytes(chunkLimit)
  const size = chunkLimit * 25
  const { id } = await begin(size)
  // From the second chunk on, so that what one chunk takes in this process, by server and client, is not counted as growth.
  let before = 0
  let most = 0
  for (let offset = 0; offset < size; offset += chunkLimit) {
    await send(id, offset, chunk)
    if (offset === chunkLimit) before = process.memoryUsage().rss
    most = Math.max(most, process.memoryUsage().rss)
  }
  const { hash } = await status(id)
  const answer = await fetch(`${server.url}/api/object/${hash}`, { headers: { authorization: teacher.token } })
  let length = 0
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) length += piece.length
  most = Math.max(most, process.memoryUsage().rss)
  expect(length).toBe(size)
  expect((most - before) / 1024 / 1024).toBeLessThan(100)
})
