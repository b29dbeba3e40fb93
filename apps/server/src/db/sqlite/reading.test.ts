import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { insert, item, longQuery, openItems, refusal, type Opened } from './testing.ts'

let opened: Opened
beforeEach(async () => {
  opened = await openItems({ readers: 3 })
})
afterEach(() => opened.close())

const many = (count: number) =>
  sql`insert into item (id, text) with recursive step(i) as (select 1 union all select i + 1 from step where i < ${count}) select i, 'text of ' || i from step`.execute(
    opened.db,
  )

describe('a read-only transaction', () => {
  test('stays where it began while writes go on', async () => {
    await insert(opened.db, 1)
    await opened.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        const ids = async () => (await snapshot.selectFrom('item').select('id').execute()).map((row) => row.id)
        await insert(opened.db, 2)
        expect(await ids()).toEqual([1])
        await opened.db.deleteFrom('item').execute()
        await insert(opened.db, 3)
        expect(await ids()).toEqual([1])
        const streamed: number[] = []
        for await (const row of snapshot.selectFrom('item').select('id').stream(1)) streamed.push(row.id)
        expect(streamed).toEqual([1])
        expect(await opened.ids()).toEqual([3])
      })
    expect(opened.dialect.stats().busyReaders).toBe(0)
  })

  test('writes nothing', async () => {
    const work = opened.db
      .transaction()
      .setAccessMode('read only')
      .execute((snapshot) => insert(snapshot, 1))
    expect((await refusal(work)).message).toMatch(/readonly/)
    expect(opened.dialect.stats().busyReaders).toBe(0)
  })

  test('is lost with its thread, never continued from a later state', async () => {
    await insert(opened.db, 1)
    const work = opened.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        await Promise.all(opened.dialect.driver.readers.map((reader) => reader.kill()))
        await insert(opened.db, 2)
        return snapshot.selectFrom('item').select('id').execute()
      })
    expect((await refusal(work)).message).toMatch(/snapshot was lost/)
    expect(opened.dialect.stats().busyReaders).toBe(0)
    expect(await opened.ids()).toEqual([1, 2])
  })
})

describe('a stream', () => {
  test('gives every row once and frees its reader', async () => {
    await many(1000)
    let sum = 0
    for await (const row of opened.db.selectFrom('item').select('id').stream(64)) sum += row.id
    expect(sum).toBe(500_500)
    expect(opened.dialect.stats().busyReaders).toBe(0)
  })

  test('broken off, refused or wrong, again and again, frees its reader too', async () => {
    await many(1000)
    for (let round = 0; round < 8; round += 1) {
      for await (const row of opened.db.selectFrom('item').select('id').orderBy('id').stream(10))
        if (row.id === 15) break
      const thrown = (async () => {
        for await (const row of opened.db.selectFrom('item').select('id').stream(10)) throw new Error(`no ${row.id}`)
      })()
      expect((await refusal(thrown)).message).toMatch(/^no/)
      const wrong = opened.db
        .selectFrom('absent' as 'item')
        .select('id')
        .stream(10)
      expect((await refusal(wrong.next())).message).toMatch(/no such table/)
      const unknown = opened.db
        .selectFrom('item')
        .select('id')
        .where('text', '=', {} as string)
        .stream(10)
      expect((await refusal(unknown.next())).message).toMatch(/cannot hold/)
      // Kysely itself lets go of the connection a moment later; another query comes after that.
      await opened.db.selectFrom('item').select('id').where('id', '=', 1).execute()
      expect(opened.dialect.stats()).toMatchObject({ busyReaders: 0, queuedReads: 0 })
    }
  })

  test('sees the state at its beginning', async () => {
    await many(100)
    const seen: number[] = []
    for await (const row of opened.db.selectFrom('item').select('id').stream(10)) {
      if (seen.length === 0) await opened.db.deleteFrom('item').execute()
      seen.push(row.id)
    }
    expect(seen).toHaveLength(100)
  })

  test('of a write with returning is done by the writer', async () => {
    const ids: number[] = []
    for await (const row of opened.db
      .insertInto('item')
      .values([item(1), item(2)])
      .returning('id')
      .stream(1))
      ids.push(row.id)
    expect(ids).toEqual([1, 2])
  })

  test('of very many rows needs the memory of a few', async () => {
    await many(300_000)
    const before = process.memoryUsage()
    let rows = 0
    let most = 0
    for await (const row of opened.db.selectFrom('item').selectAll().stream(500)) {
      rows += row.id > 0 ? 1 : 0
      if (rows % 10_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed - before.heapUsed)
    }
    expect(rows).toBe(300_000)
    // All of them at once would be over 100 MB.
    expect(most).toBeLessThan(60 * 1024 * 1024)
  })
})

describe('a long query', () => {
  test('delays neither a write nor other reads', async () => {
    const order: string[] = []
    const note = (name: string) => () => order.push(name)
    const long = longQuery(opened.db).then(note('long'))
    await Promise.all([
      insert(opened.db, 1).then(note('write')),
      opened.ids().then(note('read')),
      opened.db
        .transaction()
        .execute((transaction) => insert(transaction, 2))
        .then(note('transaction')),
    ])
    await long
    expect(order.at(-1)).toBe('long')
    expect(order).toHaveLength(4)
  })

  test('never blocks the event loop', async () => {
    let turns = 0
    let over = false
    const turn = () => {
      turns += 1
      if (!over) setImmediate(turn)
    }
    setImmediate(turn)
    await Promise.all([longQuery(opened.db), many(100_000), longQuery(opened.db)])
    over = true
    expect(turns).toBeGreaterThan(1000)
  })

  test('streams and snapshots never take the last reader', async () => {
    await many(100)
    const streams = Array.from({ length: 4 }, () => opened.db.selectFrom('item').select('id').stream(1))
    await Promise.all(streams.slice(0, 2).map((stream) => stream.next()))
    const waiting = streams.slice(2).map((stream) => stream.next())
    expect(await opened.ids()).toHaveLength(100)
    expect(opened.dialect.stats()).toMatchObject({ busyReaders: 2, queuedReads: 2 })
    await Promise.all(streams.slice(0, 2).map((stream) => stream.return?.(undefined)))
    await Promise.all(waiting)
    await Promise.all(streams.slice(2).map((stream) => stream.return?.(undefined)))
  })
})

describe('values', () => {
  test('of every kind come back as they went in', async () => {
    const data = new Uint8Array([0, 1, 255, 0])
    await opened.db
      .insertInto('item')
      .values({ id: 1, text: '文字 \u{1F600}\n', amount: 2n ** 52n, data })
      .execute()
    await opened.db
      .insertInto('item')
      .values({ id: 2, text: '', amount: true as unknown as number, data: null })
      .execute()
    const rows = await opened.db.selectFrom('item').selectAll().orderBy('id').execute()
    expect(rows[0]).toMatchObject({ text: '文字 \u{1F600}\n', amount: 2 ** 52 })
    expect(new Uint8Array(rows[0]?.data ?? [])).toEqual(data)
    expect(rows[1]).toEqual({ id: 2, text: '', amount: 1, data: null })
  })

  test('too large for a number are refused, not rounded', async () => {
    await opened.db
      .insertInto('item')
      .values({ ...item(1), amount: 2n ** 60n })
      .execute()
    expect((await refusal(opened.db.selectFrom('item').selectAll().execute())).message).toMatch(/too large/)
    expect(await opened.ids()).toEqual([1])
    // The statement that failed holds no old state.
    await insert(opened.db, 2)
    expect(await opened.ids()).toEqual([1, 2])
  })

  test.each([
    ['undefined', undefined, /parameter 1 is undefined/],
    ['a Date', new Date(0), /parameter 1 is a \[object Date\]/],
    ['a list', [1], /parameter 1 is a \[object Array\]/],
  ])('%s is refused with its place', async (_, value, message) => {
    const { error } = { error: await refusal(sql`select ${sql.val(value)} as x`.execute(opened.db)) }
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toMatch(message)
  })

  test('a column that was added or renamed meanwhile is read under its name', async () => {
    await insert(opened.db, 1)
    const all = () => Promise.all(Array.from({ length: 6 }, () => opened.db.selectFrom('item').selectAll().execute()))
    await all()
    await sql`alter table item add column later integer default 7`.execute(opened.db)
    await sql`alter table item rename column amount to sum`.execute(opened.db)
    for (const rows of await all()) expect(rows).toEqual([{ id: 1, text: null, sum: null, data: null, later: 7 }])
  })
})
