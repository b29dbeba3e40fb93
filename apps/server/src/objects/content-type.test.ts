import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contentTypeOf } from './content-type.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-types-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each([
  ['<svg/>', 'image/svg+xml'],
  ['<!-- a --> <!-- b -->\n<SVG xmlns="x">', 'image/svg+xml'],
  ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "a" "b"><svg>', 'image/svg+xml'],
  ['<?xml version="1.0"?><page/>', 'application/xml'],
  ['<svgx>', 'text/plain; charset=utf-8'],
  ['题'.repeat(3000), 'text/plain; charset=utf-8'],
  ['a\0b', 'application/octet-stream'],
  [Buffer.from([0xff, 0xfe, 0xfd, 0x80]), 'application/octet-stream'],
])('%j', async (content, type) => {
  await writeFile(join(folder, 'file'), content)
  expect(await contentTypeOf(join(folder, 'file'))).toBe(type)
})

test('a file made to be looked at for ever is not', async () => {
  await writeFile(join(folder, 'file'), '<!---->'.repeat(580))
  const began = performance.now()
  expect(await contentTypeOf(join(folder, 'file'))).toBe('text/plain; charset=utf-8')
  expect(performance.now() - began).toBeLessThan(2000)
})
