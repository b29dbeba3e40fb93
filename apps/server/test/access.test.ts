import { readFile } from 'node:fs/promises'
import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../src/routes.ts'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
})
afterAll(() => server.close())

test('AP-04 every endpoint of the contract is served, and nothing else', () => {
  const served = routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).toSorted()
  const agreed = contract.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`).toSorted()
  expect(served).toEqual(agreed)
})

test('AP-04 every path of section 7 of the specification is served and listed in OpenAPI', async () => {
  const paths = [
    'post /api/auth/login',
    'post /api/auth/smsLogin',
    'post /api/auth/shiWaiLogin',
    'post /api/auth/szjxLogin',
    'post /api/auth/szjxLogout',
    'put /api/auth/resetPassword',
    'post /api/auth/sendSms/{phone}',
    'get /api/user/page',
    'get /api/user/all',
    'post /api/user',
    'put /api/user',
    'get /api/user/{id}',
    'delete /api/user/{id}',
    'get /api/user/currentUser',
    'get /api/user/userClassGroupBySAG',
    'get /api/subject/all',
    'get /api/grade/all',
    'get /api/grade/ptrainingGrade',
    'get /api/subject/userSubject',
    'get /api/subject/ptrainingSubject',
    'get /api/grade/userGrade',
    'get /api/class/myClasses',
    'get /api/class/all',
    'get /api/paperSize/all',
    'get /api/pbs/pbsPaperList',
    'post /api/pbs/refreshPbsMessage',
  ]
  const document = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  for (const path of paths) {
    const [method = '', address = ''] = path.split(' ')
    expect(document.paths[address]?.[method], path).toBeDefined()
  }
})

test('every endpoint that is not public answers 401 without a token, before it looks at what was sent', async () => {
  for (const endpoint of contract.endpoints.filter((item) => item.access !== 'public')) {
    const path = endpoint.path.replace(/\{\w+\}/g, 'x')
    const answer = await fetch(server.url + path, { method: endpoint.method })
    expect([answer.status, ((await answer.json()) as { code: number }).code], endpoint.path).toEqual([401, 401])
  }
})

test('PM-01 a call without the feature answers 403 in the envelope, with it it works', async () => {
  const { client } = await server.signIn(school.teacher.phone)
  expect(await client.call(contract.gradeTraining)).toEqual([{ id: school.gradeId, name: '七年级' }])
  const subjects = await client.call(contract.subjectTraining, { query: { gradeId: school.gradeId } })
  expect(subjects).toEqual([{ id: school.subjectId, name: '数学' }])
  const admin = await server.signIn(school.administrator.phone)
  const off = [
    { featureId: 4, isActivity: 0 as const },
    { featureId: 1, isActivity: 1 as const },
  ]
  await admin.client.call(contract.userUpdate, { body: { id: school.teacher.id, features: off } })
  expect(await refusal(client.call(contract.gradeTraining))).toMatchObject({
    status: 403,
    code: 403,
    error: 'access.featureNeeded',
    msg: '请联系管理员开通此功能',
  })
  const english = server.client((await server.signIn(school.teacher.phone)).token, { locale: () => 'en-US' })
  expect((await refusal(english.call(contract.gradeTraining))).msg).toBe(
    'please contact the administrator to open this function',
  )
})

test('PM-01 features 1, 2, 4 and 6 each guard what needs them', async () => {
  const { demandAccess } = await import('../src/http/session.ts')
  const { store } = server.services
  const other = await server.addSchool()
  const session = { schoolId: other.schoolId, userId: other.teacher.id, isAdmin: false } as never
  for (const [key, featureId] of [
    ['my-students', 1],
    ['share', 1],
    ['exam', 2],
    ['training', 4],
    ['composition', 6],
  ] as const) {
    await demandAccess(store, session, key)
    const db = store.school(other.schoolId)
    await db.updateTable('userFeature').set({ isActive: false }).where('featureId', '=', featureId).execute()
    await expect(demandAccess(store, session, key)).rejects.toMatchObject({ error: 'access.featureNeeded' })
    await db.updateTable('userFeature').set({ isActive: true }).where('featureId', '=', featureId).execute()
  }
})

test('PM-02 a teacher is refused what an administrator may, in both languages', async () => {
  const { token, client } = await server.signIn(school.teacher.phone)
  expect(await refusal(client.call(contract.userPage))).toMatchObject({ status: 403, msg: '您没有进行此操作的权限' })
  const english = server.client(token, { locale: () => 'en-US' })
  expect((await refusal(english.call(contract.userPage))).msg).toBe('You have no permission for this operation')
})

test('the OpenAPI document that is kept in docs is what the contract says today', async () => {
  const { openApiDocument } = await import('../src/http/openapi-document.ts')
  const kept = await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8')
  expect(kept === (await openApiDocument()), 'npm run openapi').toBe(true)
})
