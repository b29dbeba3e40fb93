import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openStoreAt } from '../../test/open-store.ts'
import {
  compileShim,
  filesAfterCut,
  markersBefore,
  readJournal,
  type Journal,
  type Kept,
} from '../../test/power-cut/journal.ts'
import { newId } from './ids.ts'
import { testNeeding } from '../../test/needing.ts'

const cuts = 60
const writes = 1500
const file = 'cut.sqlite'
const schoolId = newId()
const shimFolder = await mkdtemp(join(tmpdir(), 'power-cut-shim-'))
const shim = join(shimFolder, 'journal.so')
const canCompile = compileShim(shim)
afterAll(() => rm(shimFolder, { recursive: true }))

/** The same figures on every run from the same seed, which a failure tells. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

async function journalOfWriting(folder: string): Promise<Journal> {
  const directory = join(folder, 'live')
  await mkdir(directory)
  const journal = join(folder, 'journal')
  const script = new URL('../../test/writer-process.ts', import.meta.url).pathname
  const child = spawn(
    process.execPath,
    [script, 'sqlite', join(directory, file), schoolId, `${writes}`, join(directory, 'markers')],
    {
      stdio: 'inherit',
      env: { ...process.env, LD_PRELOAD: shim, CUT_DIRECTORY: directory, CUT_JOURNAL: journal },
    },
  )
  await once(child, 'exit')
  return readJournal(await readFile(journal), 'markers')
}

/** What is missing of the acknowledged, or what is wrong with the file. */
async function lossAfterCut(folder: string, files: Map<string, Buffer>, markers: string): Promise<string[]> {
  const directory = await mkdtemp(join(folder, 'cut-'))
  for (const [name, bytes] of files) await writeFile(join(directory, name), bytes)
  const database = new DatabaseSync(join(directory, file))
  try {
    database.exec('pragma journal_mode = wal')
    const integrity = database.prepare('pragma integrity_check').all()
    if (integrity[0]?.['integrity_check'] !== 'ok') return [JSON.stringify(integrity[0])]
    const acknowledged = markers.split('\n').slice(0, -1)
    if (acknowledged.length === 0) return []
    const names = (query: string) =>
      new Set(
        database
          .prepare(query)
          .all()
          .map((row) => String(row['name'])),
      )
    const stored = names('select name from setting')
    const audited = names('select target_id as name from audit')
    const halves = [...stored, ...audited].filter((id) => !stored.has(id) || !audited.has(id))
    return [...acknowledged.filter((id) => !stored.has(id)), ...halves]
  } catch (error) {
    return [String(error)]
  } finally {
    database.close()
    await rm(directory, { recursive: true })
  }
}

testNeeding(canCompile, 'gcc')(
  `after a power cut every acknowledged write is there: ${cuts} cuts`,
  { timeout: 180_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'power-cut-'))
    const journal = await journalOfWriting(folder)
    const { records } = journal
    expect(markersBefore(journal, records.length).split('\n')).toHaveLength(writes + 1)
    // The proof is about the whole life of the files: the log, its checkpoints into the database, its beginning again.
    expect(records.filter((record) => record.kind === 'synced' && record.path === file).length).toBeGreaterThan(1)
    const seed = Date.now() % 100_000
    const random = randomFrom(seed)
    let lostWithoutSync = 0
    for (let cut = 0; cut < cuts; cut += 1) {
      const upTo = Math.floor(random() * records.length)
      const kept = (['none', 'some', 'torn'] as Kept[])[cut % 3] ?? 'none'
      const markers = markersBefore(journal, upTo)
      const loss = await lossAfterCut(folder, filesAfterCut(journal, upTo, kept, random), markers)
      expect(loss, `seed ${seed}, cut behind record ${upTo} of ${records.length}, kept ${kept}`).toEqual([])
      // The same cut on a disk that forgets what was synced must be seen as a loss, or this test would see nothing.
      if (cut % 10 === 1)
        lostWithoutSync += (await lossAfterCut(folder, filesAfterCut(journal, upTo, kept, random, false), markers))
          .length
    }
    expect(lostWithoutSync).toBeGreaterThan(0)
    await rm(folder, { recursive: true })
  },
)

test('the settings that a power cut is survived by are in force', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'power-cut-'))
  const store = await openStoreAt('sqlite', join(folder, file))
  const asked = await store.everySchool
    .transaction()
    .execute(async (writer) => [
      await sql`pragma synchronous`.execute(writer).then((result) => result.rows),
      await sql`pragma journal_mode`.execute(writer).then((result) => result.rows),
    ])
  expect(asked).toEqual([[{ synchronous: 2 }], [{ journalMode: 'wal' }]])
  await store.close()
  await rm(folder, { recursive: true })
})
