import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { steps } from '../src/db/migrate.ts'
import { objectKey } from '../src/objects/objects.ts'
import { readManifest, type Manifest } from '../src/operation/backup-folder.ts'
import { replaceAll, withSnapshot } from '../src/operation/copy.ts'
import { restoreBackup } from '../src/operation/restore.ts'
import {
  addGrade,
  addOddRows,
  allRows,
  backUp,
  childFile,
  commandFile,
  digests,
  environmentOf,
  placeOf,
  quiet,
  startChild,
  temporaryFolder,
} from './copying.ts'
import { engines } from './engines.ts'
import { refusal, startTestServer, testPassword, type TestSchool, type TestServer } from './server.ts'
import { isReachable, ownPostgres, testNeeding } from './needing.ts'

let server: TestServer
let school: TestSchool
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let backup: string
let manifest: Manifest
const place = () => placeOf(server.services.store)
beforeAll(async () => {
  folder = await temporaryFolder()
  backup = join(folder.path, 'backup')
  server = await startTestServer()
  school = await server.addSchool()
  await server.signIn(school.teacher.phone)
  await addOddRows(server.services.store, school.schoolId)
  for (let at = 0; at < 1200; at += 1) await addGrade(server.services.store, school.schoolId, `年级 ${at}`)
  await server.services.objects.save(school.schoolId, null, Buffer.from('the file'))
  manifest = await backUp(server.services, backup)
})
afterAll(async () => {
  await server.close()
  await folder.remove()
})

const restore = (from: string, environment: 'test' | 'production' = 'test') =>
  restoreBackup({
    folder: from,
    environment,
    open: async () => place(),
    objects: server.services.objects.store,
    print: quiet,
  })

async function copyOfBackup(name: string): Promise<string> {
  await cp(backup, join(folder.path, name), { recursive: true })
  return join(folder.path, name)
}

test('all rows and files are again what they were, and nobody is signed in', async () => {
  const { store, objects } = server.services
  const before = await allRows(place())
  const { token } = await server.signIn(school.teacher.phone)
  await addGrade(store, school.schoolId, 'too new')
  await store.school(school.schoolId).deleteFrom('setting').execute()
  await store.school(school.schoolId).updateTable('userAccount').set({ name: 'changed' }).execute()
  const [file] = await store.school(school.schoolId).selectFrom('storedObject').selectAll().execute()
  const path = join(server.services.config.DATA_DIR, 'files', objectKey(school.schoolId, file?.hash ?? ''))
  await writeFile(path, 'THE FILE')
  await restore(backup)
  expect(await allRows(place())).toEqual(before)
  expect(await digests(place())).toEqual(manifest.tables)
  expect(await readFile(path, 'utf8')).toBe('the file')
  expect((await objects.find(school.schoolId, file?.hash ?? ''))?.size).toBe(8)
  expect((await refusal(server.client(token).call(contract.userCurrent))).code).toBe(401)
  expect(await store.everySchool.selectFrom('userSession').selectAll().execute()).toEqual([])
})

testNeeding(isReachable, ownPostgres)(
  'people who go on working during it see the old or the new, never a failure but "busy"',
  async () => {
    const env = await environmentOf(server.services)
    await restore(backup)
    const added = await addGrade(server.services.store, school.schoolId, 'not in the backup')
    const child = startChild(childFile('restore-child'), [backup, 'audit'], env)
    await child.says('in the middle')
    // The other process holds its transaction open: reading goes on, from what was there.
    const { schoolId } = school
    const grades = await server.services.store
      .school(schoolId)
      .selectFrom('grade')
      .select('id')
      .where('id', '=', added)
      .execute()
    expect(grades).toHaveLength(1)
    const begun = server
      .client()
      .call(contract.authLogin, { body: { phone: school.teacher.phone, password: testPassword } })
    const outcome = begun.then(
      () => 200,
      (error: { details: { status: number } }) => error.details.status,
    )
    if (server.services.store.engine === 'sqlite') expect(await outcome).toBe(503)
    child.process.kill('SIGKILL')
    await child.ended
    await outcome
    const statuses = new Set<number>()
    let stopped = false
    const worker = async () => {
      while (!stopped) {
        const answer = await fetch(`${server.url}/api/auth/login`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ phone: school.teacher.phone, password: testPassword }),
        })
        statuses.add(answer.status)
        await answer.arrayBuffer()
      }
    }
    const workers = [worker(), worker()]
    const command = startChild(commandFile('restore'), [backup], env)
    expect(await command.ended, command.said()).toBe(0)
    stopped = true
    await Promise.all(workers)
    expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([])
    const left = await digests(place())
    expect(left['grade']).toEqual(manifest.tables['grade'])
    const { client } = await server.signIn(school.teacher.phone)
    expect(await client.call(contract.userCurrent)).toMatchObject({ userId: school.teacher.id })
    // What was there before can be had back.
    const backups = join(env['DATA_DIR'] ?? '', 'backups')
    const [before = ''] = await readdir(backups)
    expect(before).toMatch(/^before-restore-/)
    const kept = await readManifest(join(backups, before))
    expect(kept.tables['grade']?.rows).toBe((manifest.tables['grade']?.rows ?? 0) + 1)
  },
)

testNeeding(isReachable, ownPostgres)('a restore that is killed in its middle leaves what was there', async () => {
  const env = await environmentOf(server.services)
  await addGrade(server.services.store, school.schoolId, 'kept')
  const before = await digests(place())
  for (const table of ['attempt', 'user_subject']) {
    const child = startChild(childFile('restore-child'), [backup, table], env)
    await child.says('in the middle')
    child.process.kill('SIGKILL')
    await child.ended
    expect(await digests(place())).toEqual(before)
  }
})

testNeeding(isReachable, ownPostgres)(
  'a source that fails in the middle, and one whose rows arrive altered, change nothing',
  async () => {
    const before = await digests(place())
    await withSnapshot(place(), async (source) => {
      const failing = { ...source, rows: (name: string) => (name === 'school' ? failingRows() : source.rows(name)) }
      await expect(replaceAll(place(), failing, quiet)).rejects.toThrow('the disk is gone')
      const more = { ...source, names: [...source.names, 'newer_table'] }
      await expect(replaceAll(place(), more, quiet)).rejects.toThrow(/no table newer_table/)
      // A number where a text is stored: each engine may keep it as something else than what was sent.
      const altered = {
        ...source,
        rows: (name: string) => (name === 'setting' ? alteredRows(school.schoolId) : source.rows(name)),
      }
      await expect(replaceAll(place(), altered, quiet)).rejects.toThrow()
    })
    expect(await digests(place())).toEqual(before)
  },
)

async function* failingRows(): AsyncIterable<never> {
  throw new Error('the disk is gone')
}

async function* alteredRows(schoolId: string) {
  yield [{ school_id: schoolId, name: 7, value_json: 1 }]
}

test('what is damaged is refused before anything is touched', async () => {
  const before = await digests(place())
  const edits: [string, RegExp, (copy: string) => Promise<unknown>][] = [
    [
      'altered',
      /grade is not what the manifest says/,
      async (copy) => {
        const file = join(copy, 'tables', 'grade.ndjson.gz')
        await writeFile(
          file,
          gzipSync(
            gunzipSync(await readFile(file))
              .toString()
              .replace('年级 7"', '年级 8"'),
          ),
        )
      },
    ],
    ['cut', /audit cannot be read/, (copy) => truncate(join(copy, 'tables', 'audit.ndjson.gz'), 500)],
    ['no-table', /school cannot be read/, (copy) => rm(join(copy, 'tables', 'school.ndjson.gz'))],
    ['no-list', /list of files cannot be read/, (copy) => rm(join(copy, 'files.ndjson.gz'))],
    [
      'no-file',
      /objects\/.* is missing or not what it was/,
      (copy) => rm(join(copy, 'objects', school.schoolId), { recursive: true }),
    ],
    ['no-manifest', /not a backup/, (copy) => rm(join(copy, 'manifest.json'))],
    ['half-manifest', /manifest .* is damaged/, (copy) => truncate(join(copy, 'manifest.json'), 300)],
    ['newer-format', /format 2/, (copy) => edit(copy, { format: 2 })],
    ['newer', /newer version/, (copy) => edit(copy, { migration: '999-later' })],
    [
      'escape',
      /manifest .* is damaged/,
      (copy) => edit(copy, { tables: { '../../x': { rows: 0, sha256: '0'.repeat(64) } } }),
    ],
  ]
  for (const [name, sentence, damage] of edits) {
    const copy = await copyOfBackup(name)
    await damage(copy)
    await expect(restore(copy), name).rejects.toThrow(sentence)
  }
  expect(await digests(place())).toEqual(before)
})

async function edit(copy: string, change: Record<string, unknown>): Promise<void> {
  const path = join(copy, 'manifest.json')
  await writeFile(path, JSON.stringify({ ...(JSON.parse(await readFile(path, 'utf8')) as object), ...change }))
}

test('the demo school never gets into production', async () => {
  const { store } = server.services
  const copy = join(folder.path, 'demo')
  await store.everySchool.updateTable('school').set({ kind: 'demo' }).execute()
  await backUp(server.services, copy)
  await expect(restore(copy, 'production')).rejects.toThrow(/demo school/)
  await store.everySchool.updateTable('school').set({ kind: 'school' }).execute()
  await restore(backup, 'production')
})

test('it goes into the other engine and back with the same checksums', async () => {
  const other = await engines.find(({ name }) => name !== server.services.store.engine)?.open()
  if (!other) throw new Error('there is one engine only')
  try {
    const there = placeOf(other.store)
    await restoreBackup({
      folder: backup,
      environment: 'test',
      open: async () => there,
      objects: server.services.objects.store,
      print: quiet,
    })
    expect(await digests(there)).toEqual(manifest.tables)
    const back = join(folder.path, 'back')
    const second = await backUp({ ...server.services, store: other.store }, back)
    expect(second.tables).toEqual(manifest.tables)
    expect(second.files).toEqual(manifest.files)
    await restore(back)
    expect(await digests(place())).toEqual(manifest.tables)
  } finally {
    await other.close()
  }
})

test('an older backup is brought to the present by the migrations since', async () => {
  steps['999-test'] = async (db, engine) => {
    await db.schema
      .alterTable('grade')
      .addColumn('colour', engine === 'sqlite' ? 'text' : 'text')
      .execute()
    await db
      .updateTable('grade' as never)
      .set({ colour: 'blue' } as never)
      .execute()
  }
  const target = await engines.find(({ name }) => name === server.services.store.engine)?.open()
  try {
    if (!target) throw new Error('there is no such engine')
    await restoreBackup({
      folder: backup,
      environment: 'test',
      open: async () => placeOf(target.store),
      objects: server.services.objects.store,
      print: quiet,
    })
    const rows = await allRows(placeOf(target.store))
    expect(rows['grade']).toHaveLength(manifest.tables['grade']?.rows ?? -1)
    expect(rows['grade']?.every((row) => row['colour'] === 'blue')).toBe(true)
    expect((await digests(placeOf(target.store)))['audit']).toEqual(manifest.tables['audit'])
  } finally {
    delete steps['999-test']
    await target?.close()
  }
})
