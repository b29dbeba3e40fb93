import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { newId } from '../src/db/ids.ts'
import { inSchool } from '../src/db/store.ts'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
let admin: contract.Client
let teacher: contract.Client
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
  admin = (await server.signIn(school.administrator.phone)).client
  teacher = (await server.signIn(school.teacher.phone)).client
})
afterAll(() => server.close())

const definition = { kind: 'later', data: z.object({}), load: () => Promise.reject(new Error('never due')) }

/** Due in an hour, so that it waits as long as this test looks at it. */
function addJob(schoolId: string, userId: string): Promise<string> {
  const { store, jobs } = server.services
  const options = { userId, runAt: Date.now() + 3_600_000 }
  return store.everySchool
    .transaction()
    .execute((db) => jobs.enqueue(inSchool(db, schoolId), schoolId, () => undefined, definition, {}, options))
}

test('nobody sees a job without signing in, and an id that is none is refused', async () => {
  const stranger = server.client()
  const params = { id: newId() }
  for (const call of [
    stranger.call(contract.jobPage),
    stranger.call(contract.jobOne, { params }),
    stranger.call(contract.jobCancel, { params }),
  ]) {
    expect((await refusal(call)).code).toBe(401)
  }
  expect((await refusal(teacher.call(contract.jobOne, { params: { id: 'x' } }))).code).toBe(400)
})

test('everybody sees their own jobs, an administrator those of the school, nobody those of another', async () => {
  const other = await server.addSchool()
  const theirs = await addJob(other.schoolId, other.teacher.id)
  const own = await addJob(school.schoolId, school.teacher.id)
  const chief = await addJob(school.schoolId, school.administrator.id)
  const idsOf = async (client: contract.Client) =>
    (await client.call(contract.jobPage, { query: { state: 'queued' } })).items.map(({ id }) => id)
  expect(await idsOf(teacher)).toEqual([own])
  expect(await idsOf(admin)).toEqual([chief, own])
  expect(await teacher.call(contract.jobPage, { query: { size: 1, text: 'lat' } })).toMatchObject({ total: 1, size: 1 })
  expect(await teacher.call(contract.jobOne, { params: { id: own } })).toEqual({
    id: own,
    kind: 'later',
    state: 'queued',
    progress: 0,
    note: null,
    result: null,
    error: null,
    attempt: 0,
    createdAt: expect.any(Number),
    startedAt: null,
    finishedAt: null,
  })
  expect(await admin.call(contract.jobOne, { params: { id: own } })).toMatchObject({ id: own })
  for (const id of [chief, theirs, newId()]) {
    expect((await refusal(teacher.call(contract.jobOne, { params: { id } }))).code).toBe(404)
    expect((await refusal(teacher.call(contract.jobCancel, { params: { id } }))).code).toBe(404)
  }
  expect((await refusal(admin.call(contract.jobOne, { params: { id: theirs } }))).code).toBe(404)
})

test('a waiting job is cancelled once, and the audit says by whom', async () => {
  const id = await addJob(school.schoolId, school.teacher.id)
  expect(await admin.call(contract.jobCancel, { params: { id } })).toMatchObject({ id, state: 'cancelled' })
  expect(await refusal(teacher.call(contract.jobCancel, { params: { id } }))).toMatchObject({
    code: 409,
    error: 'job.finished',
  })
  const audit = await server.services.store
    .school(school.schoolId)
    .selectFrom('audit')
    .select(['action', 'userId'])
    .where('targetId', '=', id)
    .execute()
  expect(audit).toEqual([{ action: 'job.cancel', userId: school.administrator.id }])
})
