import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStore, type Store } from '../src/db/store.ts'
import { createSqliteDialect } from '../src/db/sqlite/sqlite-dialect.ts'
import { newId } from '../src/db/ids.ts'
import { createObjects } from '../src/objects/create-objects.ts'
import { createFolderStore } from '../src/objects/folder-store.ts'
import { objectKey } from '../src/objects/objects.ts'
import { openDataDir } from '../src/operation/data-dir.ts'
import { moveAll } from '../src/operation/move.ts'
import { addGrade, addOddRows, commandFile, digests, placeOf, quiet, startChild, temporaryFolder } from './copying.ts'
import { engines, type OpenedEngine } from './engines.ts'
import { hasPostgres, ownPostgres, testNeeding } from './needing.ts'

// A move always goes from the one engine to the other, so one of the two runs is enough.
describe('move', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let from: Store
  let to: OpenedEngine
  const schoolId = newId()
  const postgres = () => engines.find(({ name }) => name === 'postgres')?.open() as Promise<OpenedEngine>
  beforeAll(async () => {
    folder = await temporaryFolder()
    from = await openStore('sqlite', createSqliteDialect({ path: join(folder.path, 'console.db') }))
    await from
      .school(schoolId)
      .insertInto('school')
      .values({ name: '学校', kind: 'school', createdAt: Date.now() })
      .execute()
    await addOddRows(from, schoolId)
    for (let at = 0; at < 700; at += 1) await addGrade(from, schoolId, `年级 ${at}`)
    to = await postgres()
  })
  afterAll(async () => {
    await from.close()
    await to.close()
    await folder.remove()
  })

  test('a failure in the middle leaves the target empty', async () => {
    const print = (line: string) => {
      if (line.startsWith('  user_feature:')) throw new Error('cut')
    }
    await expect(moveAll({ from: placeOf(from), to: placeOf(to.store), files: null, print })).rejects.toThrow('cut')
    expect(Object.values(await digests(placeOf(to.store))).every(({ rows }) => rows === 0)).toBe(true)
  })

  test('a damaged file stops it before a row is written', async () => {
    const here = createFolderStore(join(folder.path, 'files'))
    const there = createFolderStore(join(folder.path, 'files-there'))
    const { hash } = await createObjects(from, here, join(folder.path, 'drafts')).save(
      schoolId,
      null,
      Buffer.from('moved'),
    )
    await here.remove(objectKey(schoolId, hash))
    await expect(
      moveAll({ from: placeOf(from), to: placeOf(to.store), files: { from: here, to: there }, print: quiet }),
    ).rejects.toThrow(/missing or damaged/)
    expect((await digests(placeOf(to.store)))['school']?.rows).toBe(0)
    await createObjects(from, here, join(folder.path, 'drafts')).save(schoolId, null, Buffer.from('moved'))
  })

  test('rows and files arrive, are compared and shown, and a second move is refused', async () => {
    const lines: string[] = []
    const files = {
      from: createFolderStore(join(folder.path, 'files')),
      to: createFolderStore(join(folder.path, 'files-there')),
    }
    const move = { from: placeOf(from), to: placeOf(to.store), files, print: (line: string) => lines.push(line) }
    await moveAll(move)
    expect(await digests(placeOf(to.store))).toEqual(await digests(placeOf(from)))
    expect(lines.some((line) => /^ {2}grade +701 +701 +(\w{12}) +\1 +same$/.test(line))).toBe(true)
    expect(lines.some((line) => line.includes('DIFFERENT'))).toBe(false)
    const [file] = await from.school(schoolId).selectFrom('storedObject').select('hash').execute()
    expect(await files.to.size(objectKey(schoolId, file?.hash ?? ''))).toBe(5)
    const before = await digests(placeOf(to.store))
    await expect(moveAll(move)).rejects.toThrow(/holds a school already \(学校\)/)
    expect(await digests(placeOf(to.store))).toEqual(before)
  })

  testNeeding(hasPostgres, ownPostgres)(
    'the command needs the folder for itself and an address that is one',
    async () => {
      const target = await postgres()
      const { url = '' } = target
      try {
        const env = { DATA_DIR: folder.path }
        const wrong = startChild(commandFile('move'), ['mysql://x'], env)
        expect(await wrong.ended).toBe(1)
        expect(wrong.said()).toMatch(/DATABASE_URL must be/)
        const held = await openDataDir(folder.path)
        const refused = startChild(commandFile('move'), [url], env)
        expect(await refused.ended).toBe(1)
        expect(refused.said()).toContain(`process ${process.pid}`)
        await held.release()
        const moved = startChild(commandFile('move'), [url], env)
        expect(await moved.ended, moved.said()).toBe(0)
        expect(await digests(placeOf(target.store))).toEqual(await digests(placeOf(from)))
      } finally {
        await target.close()
      }
    },
  )
})
