import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { engines, type OpenedEngine } from '../../test/engines.ts'
import { change } from './change.ts'
import { newId } from './ids.ts'

const actor = { userId: newId(), requestId: 'request', address: '127.0.0.1' }
const entry = { action: 'setting.update', targetKind: 'setting', targetId: 'title', data: { from: 'a', to: ['b'] } }

describe.each(engines)('$name', ({ open, standIn }) => {
  let engine: OpenedEngine
  let schoolId: string
  beforeAll(async () => {
    engine = await open()
    schoolId = newId()
  })
  afterAll(() => engine.close())
  const settings = async (name: string) =>
    (await engine.store.school(schoolId).selectFrom('setting').select('valueJson').where('name', '=', name).execute())
      .length
  const audits = (action: string) =>
    engine.store.school(schoolId).selectFrom('audit').selectAll().where('action', '=', action).execute()

  test('the change and its audit entry are there together, and `after` sees them', async () => {
    const seen: Promise<number>[] = []
    const answer = await change(engine.store, schoolId, actor, entry, async (db, after) => {
      after(() => seen.push(settings('title')))
      await db.insertInto('setting').values({ name: 'title', valueJson: 'text' }).execute()
      // The stand-in has one connection: a look from outside would wait for this transaction.
      expect(standIn ? 0 : await settings('title')).toBe(0)
      expect(seen).toEqual([])
      return 'answer'
    }).finally(() => expect(seen).toHaveLength(1))
    expect(answer).toBe('answer')
    expect(await Promise.all(seen)).toEqual([1])
    expect(await audits(entry.action)).toMatchObject([
      {
        schoolId,
        userId: actor.userId,
        targetId: 'title',
        dataJson: entry.data,
        requestId: 'request',
        address: '127.0.0.1',
      },
    ])
  })

  test('the entry may be made of the result', async () => {
    await change(
      engine.store,
      schoolId,
      actor,
      (id: string) => ({ action: 'made', targetKind: 'x', targetId: id }),
      async () => 'the id',
    )
    expect(await audits('made')).toMatchObject([{ targetId: 'the id', dataJson: {} }])
  })

  test.each([
    [
      'the work',
      async () => {
        throw new Error('no')
      },
      { ...entry, action: 'thrown' },
    ],
    [
      'the entry',
      async () => 1,
      () => {
        throw new Error('no')
      },
    ],
    ['the audit', async () => 1, { ...entry, action: 'thrown', targetId: null as unknown as string }],
  ])('a throw in %s leaves neither, and `after` never runs', async (_, work, said) => {
    let ran = 0
    const refused = change(engine.store, schoolId, actor, said, async (db, after) => {
      after(() => (ran += 1))
      await db.insertInto('setting').values({ name: 'thrown', valueJson: 1 }).execute()
      return work()
    })
    await expect(refused).rejects.toThrow()
    expect(ran).toBe(0)
    expect(await settings('thrown')).toBe(0)
    expect(await audits('thrown')).toEqual([])
  })

  test('what fails after the commit does not make the change look refused', async () => {
    let ran = 0
    const warned = once(process, 'warning')
    await change(engine.store, schoolId, actor, entry, async (_, after) => {
      after(() => {
        throw new Error('nobody listens')
      })
      after(() => (ran += 1))
    })
    expect(ran).toBe(1)
    expect((await warned)[0]).toMatchObject({ message: 'nobody listens' })
  })

  test('many at once stay whole', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) =>
        change(engine.store, schoolId, actor, { ...entry, action: 'many', targetId: `${n}` }, async (db) => {
          await db
            .insertInto('setting')
            .values({ name: `many ${n}`, valueJson: n })
            .execute()
          if (n % 3 === 0) throw new Error('no')
        }),
      ),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(40)
    const stored = await engine.store
      .school(schoolId)
      .selectFrom('setting')
      .select('name')
      .where('name', 'like', 'many %')
      .execute()
    const noted = (await audits('many')).map((row) => `many ${row.targetId}`)
    expect(stored.map((row) => row.name).toSorted()).toEqual(noted.toSorted())
    expect(noted).toHaveLength(40)
  })

  test.each([
    ['a text', 'plain "text"'],
    ['digits', '12'],
    ['a number', 1.5],
    ['true', true],
    ['false', false],
    ['a list', [1, [null]]],
    ['an object', { aB: { c_d: '文' } }],
    ['nothing as JSON', 'null'],
  ])('a JSON column gives back %s as it was', async (name, value) => {
    const db = engine.store.school(schoolId)
    await db.insertInto('setting').values({ name, valueJson: 'before' }).execute()
    const read = () => db.selectFrom('setting').select('valueJson').where('name', '=', name).executeTakeFirstOrThrow()
    await db.updateTable('setting').set({ valueJson: value }).where('name', '=', name).execute()
    expect(await read()).toEqual({ valueJson: value })
    await db.deleteFrom('setting').where('name', '=', name).execute()
    await db
      .insertInto('setting')
      .values([
        { name, valueJson: value },
        { name: `${name} two`, valueJson: { other: 1 } },
      ])
      .execute()
    expect(await read()).toEqual({ valueJson: value })
    await db
      .insertInto('setting')
      .values({ name, valueJson: 1 })
      .onConflict((oc) =>
        oc.columns(['schoolId', 'name']).doUpdateSet((eb) => ({ valueJson: eb.ref('excluded.valueJson') })),
      )
      .execute()
    expect(await read()).toEqual({ valueJson: 1 })
  })

  test('booleans, large whole numbers and absent values come back as they were', async () => {
    const db = engine.store.school(schoolId)
    const grade = { id: newId(), name: 'x', sort: 1, isTraining: true }
    await db
      .insertInto('grade')
      .values([grade, { ...grade, id: newId(), isTraining: false }])
      .execute()
    expect(
      (await db.selectFrom('grade').select('isTraining').orderBy('isTraining').execute()).map((row) => row.isTraining),
    ).toEqual([false, true])
    expect(await db.selectFrom('grade').select('id').where('isTraining', '=', true).execute()).toEqual([
      { id: grade.id },
    ])
    const object = { hash: 'h', size: 2 ** 52, type: 't', createdAt: Date.now(), createdBy: null }
    await db.insertInto('storedObject').values(object).execute()
    expect(await db.selectFrom('storedObject').selectAll().execute()).toEqual([{ schoolId, ...object }])
    expect(
      await db
        .selectFrom('storedObject')
        .select((eb) => [eb.fn.sum<number>('size').as('sum'), eb.fn.countAll<number>().as('n')])
        .execute(),
    ).toEqual([{ sum: 2 ** 52, n: 1 }])
  })

  test('a Date is refused before it becomes a text', async () => {
    const object = { hash: 'd', size: 1, type: 't', createdAt: new Date() as unknown as number, createdBy: null }
    await expect(async () =>
      engine.store.school(schoolId).insertInto('storedObject').values(object).execute(),
    ).rejects.toThrow(/a Date is not stored/)
    await expect(async () => sql`select ${new Date()}`.execute(engine.store.everySchool)).rejects.toThrow(
      /a Date is not stored/,
    )
  })
})
