import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../apps/server/src/config.ts'
import { newId } from '../../apps/server/src/db/ids.ts'
import { hashToken, makeToken } from '../../apps/server/src/http/token.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { startServer, type Running } from '../../apps/server/src/server.ts'

export type SchoolServer = { running: Running; schoolId: string; tokens: string[]; close: () => Promise<void> }

const batch = 200

/** The real server on SQLite, as `npm run serve` has it, with a school of so many accounts; `signedIn` of them have a session. */
export async function startSchoolServer(accounts: number, signedIn: number): Promise<SchoolServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-server-'))
  const config = readConfig({ DATA_DIR: folder, PORT: '0', ENV_TYPE: 'test' }, 'test')
  const log = createLog(config, createWriteStream(join(folder, 'server.log')))
  const running = await startServer(config, log)
  const schoolId = newId()
  const db = running.services.store.school(schoolId)
  const now = Date.now()
  await db.insertInto('school').values({ name: '测试学校', kind: 'school', createdAt: now }).execute()
  const subjects = ['语文', '数学', '英语'].map((name, sort) => ({ id: newId(), name, sort, isTraining: true }))
  await db.insertInto('subject').values(subjects).execute()
  const people = Array.from({ length: accounts }, (_, n) => ({
    id: newId(),
    name: `教师${n}`,
    phone: `139${String(n).padStart(8, '0')}`,
    isAdmin: n === 0,
    state: 'active' as const,
    createdAt: now + n,
    updatedAt: now,
  }))
  for (let at = 0; at < people.length; at += batch) {
    const part = people.slice(at, at + batch)
    await db.insertInto('userAccount').values(part).execute()
    const features = part.flatMap(({ id }) =>
      [1, 2, 4, 6].map((featureId) => ({ userId: id, featureId, isActive: true })),
    )
    await db.insertInto('userFeature').values(features).execute()
    const taught = part.map(({ id }, n) => ({ userId: id, subjectId: subjects[n % 3]?.id ?? '' }))
    await db.insertInto('userSubject').values(taught).execute()
  }
  const tokens = people.slice(0, signedIn).map(() => makeToken(schoolId))
  const sessions = tokens.map((token, n) => ({
    id: newId(),
    tokenHash: hashToken(token),
    userId: people[n]?.id ?? '',
    device: 'bench',
    address: '127.0.0.1',
    createdAt: now,
    seenAt: now,
    expiresAt: now + 3_600_000,
  }))
  await db.insertInto('userSession').values(sessions).execute()
  return {
    running,
    schoolId,
    tokens,
    async close() {
      await running.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
