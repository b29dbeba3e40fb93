import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderSource, readManifest } from '../src/operation/backup-folder.ts'
import { objectKey } from '../src/objects/objects.ts'
import {
  addGrade,
  addOddRows,
  allRows,
  backUp,
  collected,
  commandFile,
  digests,
  environmentOf,
  placeOf,
  startChild,
  temporaryFolder,
} from './copying.ts'
import { startTestServer, type TestSchool, type TestServer } from './server.ts'
import { isReachable, ownPostgres, testNeeding } from './needing.ts'

let server: TestServer
let school: TestSchool
let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  server = await startTestServer()
  school = await server.addSchool()
  await server.signIn(school.teacher.phone)
  await addOddRows(server.services.store, school.schoolId)
})
afterAll(async () => {
  await server.close()
  await folder.remove()
})

const rowsIn = async (backup: string, table: string) => {
  const source = folderSource(backup, await readManifest(backup))
  return collected(source.rows(table))
}

test('a backup beside constant writing is of one moment: each row has its audit entry, and none is torn', async () => {
  const { store } = server.services
  let stopped = false
  let written = 0
  const writer = async () => {
    while (!stopped) await addGrade(store, school.schoolId, `年级 ${(written += 1)}`)
  }
  const writers = [writer(), writer(), writer(), writer()]
  const counts: number[] = []
  for (const name of ['first', 'second', 'third']) {
    await backUp(server.services, join(folder.path, name))
    const grades = await rowsIn(join(folder.path, name), 'grade')
    const made = grades.filter((row) => String(row['name']).startsWith('年级 ')).map((row) => row['id'])
    const told = (await rowsIn(join(folder.path, name), 'audit'))
      .filter((row) => row['action'] === 'grade.add')
      .map((row) => row['target_id'])
    expect(made.toSorted()).toEqual(told.sort())
    counts.push(made.length)
  }
  stopped = true
  await Promise.all(writers)
  expect(counts[2]).toBeGreaterThan(counts[0] ?? 0)
})

test('it holds every row but sessions, one-time codes and unfinished uploads, and what ran waits again', async () => {
  const backup = join(folder.path, 'whole')
  await addGrade(server.services.store, school.schoolId, '最后')
  const manifest = await backUp(server.services, backup)
  const rows = await allRows(placeOf(server.services.store))
  expect(manifest.tables).toEqual(await digests(placeOf(server.services.store)))
  for (const [name, expected] of Object.entries(rows)) expect(await rowsIn(backup, name), name).toEqual(expected)
  const names = await readdir(join(backup, 'tables'))
  expect(names.filter((name) => /session|one_time/.test(name))).toEqual([])
  expect((await rowsIn(backup, 'upload')).map((row) => row['state'])).toEqual(['complete'])
  const jobs = (await rowsIn(backup, 'job')).filter((row) => row['kind'] === 'none')
  expect(jobs.map((row) => [row['state'], row['lease_owner'], row['attempt']]).toSorted()).toEqual([
    ['done', null, 1],
    ['queued', null, 0],
  ])
  expect((await rowsIn(backup, 'setting')).map((row) => row['value_json'])).toContainEqual({
    9: 'nine',
    10: 'ten',
    a: { c: '数学', d: [1.5, null, '\u2028\n"', { a: false, b: true }] },
    z: 1,
  })
})

test('nobody else may read it', async () => {
  const backup = join(folder.path, 'whole')
  expect((await stat(backup)).mode & 0o777).toBe(0o700)
  for (const entry of await readdir(backup, { recursive: true, withFileTypes: true })) {
    expect((await stat(join(entry.parentPath, entry.name))).mode & 0o077, entry.name).toBe(0)
  }
})

test('files are in it by content; one that is damaged in the store is named and keeps nothing else out', async () => {
  const { objects } = server.services
  const good = await objects.save(school.schoolId, null, Buffer.from('good'))
  const bad = await objects.save(school.schoolId, null, Buffer.from('to be lost'))
  const altered = await objects.save(school.schoolId, null, Buffer.from('to be altered'))
  await objects.store.remove(objectKey(school.schoolId, bad.hash))
  await writeFile(
    join(server.services.config.DATA_DIR, 'files', objectKey(school.schoolId, altered.hash)),
    'TO BE ALTERED',
  )
  const backup = join(folder.path, 'files')
  const manifest = await backUp(server.services, backup)
  expect(manifest.lost).toEqual([bad, altered].map(({ hash }) => objectKey(school.schoolId, hash)).toSorted())
  expect(manifest.files.rows).toBe(1)
  expect(await readFile(join(backup, objectKey(school.schoolId, good.hash)), 'utf8')).toBe('good')
  for (const { hash, text } of [
    { ...bad, text: 'to be lost' },
    { ...altered, text: 'to be altered' },
  ]) {
    const key = objectKey(school.schoolId, hash)
    await objects.store.put(key, Readable.from([Buffer.from(text)]), text.length, hash)
  }
})

test('a folder that is there is never written into, and a failed backup leaves nothing', async () => {
  await expect(backUp(server.services, join(folder.path, 'whole'))).rejects.toThrow(/is there already/)
  const before = await readdir(folder.path)
  const { store } = server.services
  const broken = {
    ...server.services,
    objects: {
      ...server.services.objects,
      store: { ...server.services.objects.store, size: () => Promise.reject(new Error('no answer')) },
    },
  }
  await expect(backUp({ ...broken, store }, join(folder.path, 'failed'))).rejects.toThrow('no answer')
  expect(await readdir(folder.path)).toEqual(before)
})

testNeeding(isReachable, ownPostgres)('the command does it beside the running server and says where', async () => {
  const env = await environmentOf(server.services)
  const target = join(folder.path, 'by-command')
  const child = startChild(commandFile('backup'), [target], env)
  expect(await child.ended, child.said()).toBe(0)
  const manifest = await readManifest(target)
  expect(manifest.tables['user_account']?.rows).toBe(2)
  const lines = gunzipSync(await readFile(join(target, 'tables', 'user_account.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
  expect(lines).toHaveLength(2)
  const again = startChild(commandFile('backup'), [target], env)
  expect(await again.ended).toBe(1)
  expect(again.said()).toMatch(/is there already/)
})
