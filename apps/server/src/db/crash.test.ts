import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { engines } from '../../test/engines.ts'
import { openStoreAt } from '../../test/open-store.ts'
import { newId } from './ids.ts'
import type { Store } from './store.ts'
import { hasPostgres, ownPostgres, testNeeding } from '../../test/needing.ts'

const rounds = 20
const writes = 1000
const script = new URL('../../test/writer-process.ts', import.meta.url).pathname

/** Kills the process when it has acknowledged so many, which is in the middle of sixteen other writes. */
async function killedAfter(count: number, engine: string, address: string, schoolId: string): Promise<string[]> {
  const child = spawn(process.execPath, [script, engine, address, schoolId, `${writes}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  let lines = 0
  child.stdout.on('data', (data: Buffer) => {
    said += data
    lines = said.split('\n').length - 1
    if (lines >= count) child.kill('SIGKILL')
  })
  const [, signal] = (await once(child, 'close')) as [number | null, string | null]
  expect(lines).toBeGreaterThanOrEqual(Math.min(count, 1))
  expect(signal).toBe('SIGKILL')
  return said.split('\n').slice(0, -1)
}

/** In one snapshot: PostgreSQL may still be finishing what the killed process had sent. */
function namesIn(store: Store, schoolId: string): Promise<{ stored: string[]; audited: string[] }> {
  const snapshot = store.school(schoolId).transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return snapshot.execute(async (db) => {
    const stored = await db.selectFrom('setting').select('name').orderBy('name').execute()
    const audited = await db.selectFrom('audit').select('targetId').orderBy('targetId').execute()
    return { stored: stored.map((row) => row.name), audited: audited.map((row) => row.targetId) }
  })
}

/** All rounds on one database: what a crash left must also bear the next one. */
async function crash(engine: 'sqlite' | 'postgres', address: string): Promise<number> {
  const acknowledged: string[] = []
  const schoolId = newId()
  for (let round = 0; round < rounds; round += 1) {
    acknowledged.push(...(await killedAfter(Math.ceil(Math.random() * writes * 0.3), engine, address, schoolId)))
    const store = await openStoreAt(engine, address)
    const { stored, audited } = await namesIn(store, schoolId)
    const there = new Set(stored)
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
    // Never one without the other, acknowledged or not.
    expect(audited).toEqual(stored)
    expect(await integrityOf(store)).toBe('ok')
    await store.close()
  }
  return acknowledged.length
}

async function integrityOf({ engine, everySchool }: Store): Promise<string> {
  if (engine === 'postgres') return 'ok'
  const { rows } = await sql<{ integrityCheck: string }>`pragma integrity_check`.execute(everySchool)
  return rows.map((row) => row.integrityCheck).join('\n')
}

// Forty processes start and die: on a machine that is busy with others this takes its time.
describe.concurrent(
  'a process killed in the middle of its writes keeps all that it acknowledged',
  { timeout: 180_000 },
  () => {
    test('sqlite', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'crash-'))
      try {
        expect(await crash('sqlite', join(folder, 'crash.sqlite'))).toBeGreaterThan(rounds)
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    testNeeding(hasPostgres, ownPostgres)('postgres', async () => {
      const opened = await engines.find((engine) => engine.name === 'postgres')?.open()
      try {
        expect(await crash('postgres', opened?.url ?? '')).toBeGreaterThan(rounds)
      } finally {
        await opened?.close()
      }
    })
  },
)
