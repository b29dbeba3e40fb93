import { crc32 } from 'node:zlib'
import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
let teacher: Awaited<ReturnType<TestServer['signIn']>>
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
  teacher = await server.signIn(school.teacher.phone)
})
afterAll(() => server.close())

async function upload(content: string | Uint8Array<ArrayBuffer>, name: string) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const { id } = await teacher.client.call(contract.uploadBegin, { body: { name, size: bytes.length } })
  const { hash, type } = await teacher.client.call(contract.uploadChunk, {
    params: { id },
    query: { offset: 0 },
    bytes,
  })
  return { hash: hash ?? '', type: type ?? '', path: `/api/object/${hash}?name=${encodeURIComponent(name)}` }
}

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers: { authorization: teacher.token, ...headers } })

/** A zip whose entries are stored as they are. */
function zip(entries: Record<string, string>): Buffer<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, text] of Object.entries(entries)) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)]
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(content.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(path.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('504b01021400', 'hex'), shared, place, path)
    const entry = Buffer.concat([Buffer.from('504b0304', 'hex'), shared, path, content])
    parts.push(entry)
    offset += entry.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('504b0506', 0, 'hex')
  end.writeUInt16LE(Object.keys(entries).length, 8)
  end.writeUInt16LE(Object.keys(entries).length, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, end])
}

const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200), Buffer.from('PE\0\0')])

test.each([
  { kind: 'png', content: png, name: '图.png', type: 'image/png', shown: true },
  { kind: 'pdf', content: '%PDF-1.7\n%âãÏÓ\n1 0 obj\n', name: '卷.pdf', type: 'application/pdf', shown: true },
  { kind: 'zip', content: zip({ 'a.txt': 'a' }), name: 'a.zip', type: 'application/zip', shown: false },
  {
    kind: 'docx',
    content: zip({
      '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${word}.main+xml"/></Types>`,
      'word/document.xml': '<w/>',
    }),
    name: 'a.docx',
    type: word,
    shown: false,
  },
  { kind: 'program by another name', content: exe, name: 'a.pdf', type: 'application/x-msdownload', shown: false },
  {
    kind: 'svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    name: 'a.png',
    type: 'image/svg+xml',
    shown: false,
  },
  {
    kind: 'svg with a prologue',
    content: '<?xml version="1.0"?>\n<!-- x --><svg xmlns="http://www.w3.org/2000/svg"/>',
    name: 'b.png',
    type: 'image/svg+xml',
    shown: false,
  },
  {
    kind: 'html',
    content: '<!doctype html><script>alert(1)</script>',
    name: 'a.png',
    type: 'text/plain; charset=utf-8',
    shown: false,
  },
  { kind: 'text', content: '第一题', name: 'a.html', type: 'text/plain; charset=utf-8', shown: false },
])(
  '$kind is known by its content, and only what cannot run anything is shown in place',
  async ({ content, name, type, shown }) => {
    const file = await upload(content, name)
    expect(file.type).toBe(type)
    const answer = await get(file.path)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-disposition')).toMatch(shown ? /^inline;/ : /^attachment;/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(content as string))).toBe(true)
  },
)

test('parts are handed out as asked', async () => {
  const { path, hash } = await upload('0123456789', 'a.txt')
  const etag = `"${hash}"`
  const cases: [Record<string, string>, number, string, string | null][] = [
    [{ range: 'bytes=0-3' }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=7-' }, 206, '789', 'bytes 7-9/10'],
    [{ range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-99' }, 206, '0123456789', 'bytes 0-9/10'],
    [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=10-' }, 416, '', 'bytes */10'],
    [{ range: 'bytes=-0' }, 416, '', 'bytes */10'],
    [{ range: 'bytes=5-2' }, 200, '0123456789', null],
    [{ range: 'bytes=0-1,4-5' }, 200, '0123456789', null],
    [{ range: 'lines=1-2' }, 200, '0123456789', null],
    [{ range: 'bytes=0-3', 'if-range': etag }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=0-3', 'if-range': '"another"' }, 200, '0123456789', null],
    [{ 'if-none-match': etag }, 304, '', null],
    [{ 'if-none-match': `"x", W/${etag}` }, 304, '', null],
    [{ 'if-none-match': '"another"' }, 200, '0123456789', null],
  ]
  for (const [headers, status, text, range] of cases) {
    const answer = await get(path, headers)
    const what = JSON.stringify(headers)
    expect(answer.status, what).toBe(status)
    expect(await answer.text(), what).toBe(text)
    expect(answer.headers.get('content-range'), what).toBe(range)
    expect(answer.headers.get('etag'), what).toBe(etag)
  }
})

test.each([
  [
    '期末 试卷（一）.pdf',
    'inline; filename="__ _____.pdf"; filename*=UTF-8\'\'%E6%9C%9F%E6%9C%AB%20%E8%AF%95%E5%8D%B7%EF%BC%88%E4%B8%80%EF%BC%89.pdf',
  ],
  ['a"b\\c;d.pdf', 'inline; filename="a_b_c;d.pdf"; filename*=UTF-8\'\'a%22b%5Cc%3Bd.pdf'],
  [
    "x\r\nset-cookie: a=b'(*).pdf",
    "inline; filename=\"x__set-cookie: a=b'(*).pdf\"; filename*=UTF-8''x%0D%0Aset-cookie%3A%20a%3Db%27%28%2A%29.pdf",
  ],
])('the name %j is told to every reader and breaks no header', async (name, expected) => {
  const { path } = await upload('%PDF-1.7\n', name)
  const answer = await get(path)
  expect(answer.headers.get('content-disposition')).toBe(expected)
  expect(answer.headers.get('set-cookie')).toBeNull()
  await answer.arrayBuffer()
})

test('what the school does not have is not found, and a hash that is none is refused', async () => {
  expect((await get(`/api/object/${'0'.repeat(64)}`)).status).toBe(404)
  expect((await get('/api/object/..%2f..%2fetc%2fpasswd')).status).toBe(400)
})
