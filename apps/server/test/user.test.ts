import * as contract from '@console/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal, startTestServer, type TestSchool, type TestServer } from './server.ts'

let server: TestServer
let school: TestSchool
let admin: Awaited<ReturnType<TestServer['signIn']>>
beforeAll(async () => {
  server = await startTestServer()
  school = await server.addSchool()
  admin = await server.signIn(school.administrator.phone)
})
afterAll(() => server.close())

test('an account is opened, found, changed, signed in with and closed, each step in the audit', async () => {
  const body = {
    name: '陈·测试',
    phone: '13400000001',
    subjectIds: [school.subjectId],
    features: [{ featureId: 2, isActivity: 1 as const }],
  }
  const { id, password } = await admin.client.call(contract.userAdd, { body })
  const signedIn = await server
    .client()
    .call(contract.authLogin, { body: { phone: body.phone, password: password ?? '' } })
  expect(signedIn).toMatchObject({ userId: id, name: '陈·测试', features: [{ featureId: 2, isActivity: 1 }] })
  const found = await admin.client.call(contract.userPage, { query: { text: '陈·', size: 5 } })
  expect(found).toMatchObject({ total: 1, page: 1, size: 5, items: [{ id, userSubjects: [{ name: '数学' }] }] })
  const changed = await admin.client.call(contract.userUpdate, { body: { id, name: '陈二', phone: '13400000002' } })
  expect(changed).toMatchObject({ name: '陈二', phone: '13400000002', features: [{ featureId: 2, isActivity: 1 }] })
  await admin.client.call(contract.userRemove, { params: { id } })
  expect((await refusal(admin.client.call(contract.userOne, { params: { id } }))).code).toBe(404)
  expect((await refusal(server.client(signedIn.token).call(contract.userCurrent))).code).toBe(401)
  await admin.client.call(contract.userAdd, { body: { name: '新人', phone: '13400000002' } })
  const audit = await server.services.store
    .school(school.schoolId)
    .selectFrom('audit')
    .select(['action', 'userId'])
    .where('targetId', '=', id)
    .orderBy('id')
    .execute()
  expect(audit).toEqual(
    ['user.add', 'user.update', 'user.remove'].map((action) => ({ action, userId: school.administrator.id })),
  )
})

test('a phone number that is taken is refused at its field and nothing is stored', async () => {
  const before = await admin.client.call(contract.userPage)
  const answer = await refusal(
    admin.client.call(contract.userAdd, { body: { name: '重复', phone: school.teacher.phone } }),
  )
  expect(answer.fields).toMatchObject([{ path: 'phone', error: 'user.phoneTaken' }])
  expect((await admin.client.call(contract.userPage)).total).toBe(before.total)
})

test('two administrators who open the same number at once: one wins, the other hears it', async () => {
  const body = { name: '同时', phone: '13400000009' }
  const results = await Promise.allSettled([1, 2].map(() => admin.client.call(contract.userAdd, { body })))
  expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the last administrator stays, and nobody raises or lowers their own rights', async () => {
  const { id } = school.administrator
  expect((await refusal(admin.client.call(contract.userUpdate, { body: { id, isAdmin: false } }))).error).toBe(
    'user.ownRights',
  )
  expect((await refusal(admin.client.call(contract.userRemove, { params: { id } }))).error).toBe('user.ownAccount')
  const second = await admin.client.call(contract.userAdd, {
    body: { name: '副', phone: '13400000020', isAdmin: true, password: 'Second-admin-1' },
  })
  const other = await server
    .client()
    .call(contract.authLogin, { body: { phone: '13400000020', password: 'Second-admin-1' } })
  await server.client(other.token).call(contract.userUpdate, { body: { id, isAdmin: false } })
  expect((await refusal(admin.client.call(contract.userPage))).code).toBe(403)
  expect(
    (await refusal(server.client(other.token).call(contract.userRemove, { params: { id: second.id } }))).error,
  ).toBe('user.ownAccount')
  await server.services.store
    .school(school.schoolId)
    .updateTable('userAccount')
    .set({ isAdmin: true })
    .where('id', '=', id)
    .execute()
})

test('what is typed into a search is text, not a pattern', async () => {
  const other = await server.addSchool()
  const { client } = await server.signIn(other.administrator.phone)
  await client.call(contract.userAdd, { body: { name: '百分 100% 先生', phone: '13400000030' } })
  await client.call(contract.userAdd, { body: { name: 'Smith_O\\Hara', phone: '13400000031' } })
  const count = async (text: string) => (await client.call(contract.userPage, { query: { text } })).total
  expect(await count('100%')).toBe(1)
  expect(await count('%')).toBe(1)
  expect(await count('_')).toBe(1)
  expect(await count('\\')).toBe(1)
  expect(await count('smith')).toBe(1)
  expect(await count("' or 1=1 --")).toBe(0)
})

test('AP-06 classes by subject and grade, and the reference lists', async () => {
  const { client } = await server.signIn(school.teacher.phone)
  expect(await client.call(contract.userClassGroup)).toEqual([
    {
      subjectId: school.subjectId,
      subjectName: '数学',
      gradeId: school.gradeId,
      gradeName: '七年级',
      classes: [{ id: school.classId, name: '七（1）班' }],
    },
  ])
  expect(await client.call(contract.classMine)).toHaveLength(1)
  expect(await client.call(contract.gradeUser)).toHaveLength(1)
  expect(await client.call(contract.subjectUser)).toEqual([{ id: school.subjectId, name: '数学' }])
  expect((await client.call(contract.paperSizeAll)).map((size) => [size.name, size.width])).toContainEqual(['A4', 210])
})

test('another school is never seen, by list, search or id', async () => {
  const other = await server.addSchool()
  const { client } = await server.signIn(other.administrator.phone)
  const page = await client.call(contract.userPage)
  expect(page.items.map((user) => user.id).toSorted()).toEqual([other.administrator.id, other.teacher.id].toSorted())
  for (const id of [school.teacher.id, school.administrator.id]) {
    expect((await refusal(client.call(contract.userOne, { params: { id } }))).code).toBe(404)
    expect((await refusal(client.call(contract.userRemove, { params: { id } }))).code).toBe(404)
    expect((await refusal(client.call(contract.userUpdate, { body: { id, name: '改' } }))).code).toBe(404)
  }
  const foreign = await refusal(
    client.call(contract.userUpdate, { body: { id: other.teacher.id, subjectIds: [school.subjectId] } }),
  )
  expect(foreign.fields).toMatchObject([{ path: 'subjectIds' }])
})

test('two administrators who remove each other at once: one of them stays', async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = await server.addSchool()
    const db = server.services.store.school(other.schoolId)
    await db.updateTable('userAccount').set({ isAdmin: true }).where('id', '=', other.teacher.id).execute()
    const people = await Promise.all([other.administrator, other.teacher].map(({ phone }) => server.signIn(phone)))
    const ids = [other.teacher.id, other.administrator.id]
    await Promise.allSettled(
      people.map(({ client }, at) => client.call(contract.userUpdate, { body: { id: ids[at] ?? '', isAdmin: false } })),
    )
    const left = await db.selectFrom('userAccount').select('id').where('isAdmin', '=', true).execute()
    expect(left).toHaveLength(1)
  }
})
