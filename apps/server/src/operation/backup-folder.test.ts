import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { folderSource, writeTable } from './backup-folder.ts'
import { linesOf } from './tables.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'console-backup-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function* numbered(count: number) {
  for (let at = 0; at < count; at += 1) yield { count: 1, lines: linesOf([{ id: at, name: `年级 ${at}\u2028` }]) }
}

async function read(tables: Parameters<typeof folderSource>[1]['tables']): Promise<unknown[]> {
  const all: unknown[] = []
  for await (const rows of folderSource(folder, { tables }).rows('grade')) all.push(...rows)
  return all
}

test('rows come back as they were, in batches, whatever their number', async () => {
  for (const count of [0, 1, 500, 1001]) {
    const grade = await writeTable(folder, 'grade', numbered(count))
    const rows = await read({ grade })
    expect(rows).toEqual(Array.from({ length: count }, (_, id) => ({ id, name: `年级 ${id}\u2028` })))
  }
})

test('what changed since it was checked is noticed while it is read', async () => {
  const grade = await writeTable(folder, 'grade', numbered(1000))
  await writeTable(folder, 'grade', numbered(999))
  await expect(read({ grade })).rejects.toThrow(/grade is not what the manifest says/)
  await expect(read({})).rejects.toThrow(/grade is not what the manifest says/)
})
