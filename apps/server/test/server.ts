import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, authLogin, type Client, type ClientOptions } from '@console/contract'
import { readConfig } from '../src/config.ts'
import { newId } from '../src/db/ids.ts'
import { insertPaperSizes } from '../src/db/seed/paper-sizes.ts'
import { createLog } from '../src/log.ts'
import { hashPassword } from '../src/modules/auth/password.ts'
import { startServer, type Running } from '../src/server.ts'
import { engineName, engines } from './engines.ts'

export const testPassword = 'Correct-horse-7'
let hashed: Promise<string> | null = null

export type TestSchool = {
  schoolId: string
  administrator: { id: string; phone: string }
  teacher: { id: string; phone: string }
  gradeId: string
  classId: string
  subjectId: string
}

export type TestServer = {
  url: string
  services: Running['services']
  app: Running['app']
  client: (token?: string | null, options?: Partial<ClientOptions>) => Client
  /** A school with an administrator, a teacher with every feature, a grade, a class and a subject. */
  addSchool: () => Promise<TestSchool>
  signIn: (phone: string) => Promise<{ token: string; client: Client }>
  close: () => Promise<void>
}

/** The real server on the real database of the engine that this run is for, on a port of its own. */
export async function startTestServer(env: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'console-test-'))
  const engine = engines.find((item) => item.name === engineName())
  if (!engine) throw new Error(`there is no engine ${engineName()}`)
  const opened = await engine.open()
  const config = readConfig(
    {
      ENV_TYPE: 'test',
      LOG_LEVEL: 'silent',
      ...env,
      PORT: '0',
      DATA_DIR: dataDir,
      ...(opened.url ? { DATABASE_URL: opened.url } : {}),
    },
    'test',
  )
  const running = await startServer(config, createLog(config), { store: opened.store })
  const client: TestServer['client'] = (token = null, options = {}) =>
    createClient({ baseUrl: () => running.address, token: () => token, locale: () => 'zh-CN', ...options })
  return {
    url: running.address,
    services: running.services,
    app: running.app,
    client,
    addSchool: () => addSchool(running),
    async signIn(phone) {
      const { token } = await client().call(authLogin, { body: { phone, password: testPassword } })
      return { token, client: client(token) }
    },
    async close() {
      await running.close()
      await opened.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let phones = 0
const nextPhone = () => `139${String(process.pid % 1000).padStart(3, '0')}${String((phones += 1)).padStart(5, '0')}`

async function addSchool({ services }: Running): Promise<TestSchool> {
  hashed ??= hashPassword(testPassword)
  const passwordHash = await hashed
  const schoolId = newId()
  const now = Date.now()
  const [gradeId, classId, subjectId] = [newId(), newId(), newId()]
  const people = [
    { id: newId(), name: '管理员', phone: nextPhone(), isAdmin: true },
    { id: newId(), name: '教师', phone: nextPhone(), isAdmin: false },
  ] as const
  await services.store
    .school(schoolId)
    .transaction()
    .execute(async (db) => {
      await db.insertInto('school').values({ name: '测试学校', kind: 'school', createdAt: now }).execute()
      await insertPaperSizes(db)
      await db.insertInto('grade').values({ id: gradeId, name: '七年级', sort: 0, isTraining: true }).execute()
      await db.insertInto('subject').values({ id: subjectId, name: '数学', sort: 0, isTraining: true }).execute()
      await db
        .insertInto('schoolClass')
        .values({ id: classId, gradeId, name: '七（1）班', sort: 0, createdAt: now })
        .execute()
      const accounts = people.map((person) => ({
        ...person,
        passwordHash,
        state: 'active' as const,
        createdAt: now,
        updatedAt: now,
      }))
      await db.insertInto('userAccount').values(accounts).execute()
      await db
        .insertInto('signInName')
        .values(people.map(({ id, phone }) => ({ kind: 'phone', name: phone, userId: id })))
        .execute()
      await db.insertInto('teaching').values({ classId, subjectId, userId: people[1].id }).execute()
      await db
        .insertInto('userFeature')
        .values([1, 2, 4, 6].map((featureId) => ({ userId: people[1].id, featureId, isActive: true })))
        .execute()
    })
  const [administrator, teacher] = people
  return { schoolId, administrator, teacher, gradeId, classId, subjectId }
}

/** What a call was refused with; fails when it was not. */
export async function refusal(call: Promise<unknown>): Promise<{
  code: number
  status: number
  error: string
  msg: string
  fields: readonly { path: string; error: string }[]
  wait: number | null
}> {
  try {
    await call
  } catch (error) {
    if (error instanceof Error && 'details' in error) return error.details as never
    throw error
  }
  throw new Error('the call was not refused')
}
