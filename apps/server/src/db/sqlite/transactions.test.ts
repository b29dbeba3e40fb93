import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { isUniqueViolation } from '../unique-violation.ts'
import { gate, insert, item, openItems, refusal, type Opened } from './testing.ts'

let opened: Opened
beforeEach(async () => {
  opened = await openItems()
})
afterEach(() => opened.close())

describe('what is seen', () => {
  test('a write is seen by the read that follows it', async () => {
    for (let id = 1; id <= 50; id += 1) {
      await insert(opened.db, id)
      expect(await opened.ids()).toContain(id)
    }
  })

  test('a transaction sees its own writes and nobody else does before it is committed', async () => {
    await opened.db.transaction().execute(async (transaction) => {
      await insert(transaction, 1)
      expect(await transaction.selectFrom('item').select('id').execute()).toEqual([{ id: 1 }])
      expect(await opened.ids()).toEqual([])
    })
    expect(await opened.ids()).toEqual([1])
  })

  test('a rollback leaves nothing', async () => {
    const error = await refusal(
      opened.db.transaction().execute(async (transaction) => {
        await insert(transaction, 1, 2)
        await transaction.updateTable('item').set({ text: 'x' }).where('id', '=', 1).execute()
        throw new Error('no')
      }),
    )
    expect(error.message).toBe('no')
    expect(await opened.ids()).toEqual([])
  })
})

describe('group commit', () => {
  test('many units share few physical commits', async () => {
    const before = opened.dialect.stats()
    await Promise.all([
      ...Array.from({ length: 300 }, (_, n) => insert(opened.db, n)),
      ...Array.from({ length: 100 }, (_, n) =>
        opened.db.transaction().execute((transaction) => insert(transaction, 1000 + n)),
      ),
    ])
    const after = opened.dialect.stats()
    expect(after.logicalCommits - before.logicalCommits).toBe(400)
    expect(after.physicalCommits - before.physicalCommits).toBeLessThan(100)
    expect(await opened.ids()).toHaveLength(400)
  })

  test('a unit that fails takes no other with it and says why', async () => {
    await opened.db.insertInto('item').values(item(0, 'taken')).execute()
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, n) => {
        const value = item(n + 1, n % 3 === 0 ? 'taken' : `free ${n}`)
        if (n % 2 === 0) return opened.db.insertInto('item').values(value).execute()
        return opened.db.transaction().execute(async (transaction) => {
          await insert(transaction, 1000 + n)
          await transaction.insertInto('item').values(value).execute()
        })
      }),
    )
    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? 'stored' : isUniqueViolation(result.reason) ? 'taken' : String(result.reason),
    )
    expect(outcomes).toEqual(results.map((_, n) => (n % 3 === 0 ? 'taken' : 'stored')))
    const stored = await opened.ids()
    expect(stored.filter((id) => id > 0 && id < 1000)).toEqual(
      Array.from({ length: 60 }, (_, n) => n + 1).filter((id) => (id - 1) % 3 !== 0),
    )
    expect(stored.filter((id) => id >= 1000)).toHaveLength(20)
  })

  test('who committed does not wait for a transaction that takes its time, which still keeps what it did', async () => {
    const slow = gate()
    const second = gate()
    // Both begin in one moment, so that the second joins the batch of the first.
    const first = opened.db.transaction().execute((transaction) => insert(transaction, 1))
    const slowOne = opened.db.transaction().execute(async (transaction) => {
      await insert(transaction, 2)
      const failed = await refusal(insert(transaction, 2))
      expect(isUniqueViolation(failed)).toBe(true)
      second.resolve()
      await slow.promise
      await insert(transaction, 3)
      return transaction.selectFrom('item').select('id').orderBy('id').execute()
    })
    await second.promise
    await first
    expect(await opened.ids()).toEqual([1])
    slow.resolve()
    expect(await slowOne).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(await opened.ids()).toEqual([1, 2, 3])
  })

  test('a long transaction in a shared batch is done again and stays whole', async () => {
    const others = [1, 2, 3].map((id) => opened.db.transaction().execute((transaction) => insert(transaction, id)))
    await opened.db.transaction().execute(async (transaction) => {
      for (let id = 100; id < 300; id += 1) await insert(transaction, id)
      await transaction.deleteFrom('item').where('id', '=', 100).execute()
    })
    await Promise.all(others)
    expect(await opened.ids()).toHaveLength(3 + 199)
  })
})

describe('a statement that fails inside a transaction', () => {
  test('leaves nothing of itself; what the code goes on to do is kept', async () => {
    await opened.db.transaction().execute(async (transaction) => {
      await insert(transaction, 1)
      await refusal(insert(transaction, 2, 1))
      await insert(transaction, 3)
    })
    expect(await opened.ids()).toEqual([1, 3])
  })

  test('and rolls everything back by itself, is the end of that transaction and may be tried again by the others', async () => {
    await insert(opened.db, 1)
    const innocent = opened.db
      .transaction()
      .execute((transaction) => insert(transaction, 50))
      .catch((error: Error) => error)
    const guilty = await refusal(
      opened.db.transaction().execute(async (transaction) => {
        await insert(transaction, 2)
        const violated = await refusal(sql`insert or rollback into item (id) values (1)`.execute(transaction))
        expect(isUniqueViolation(violated)).toBe(true)
        expect((await refusal(insert(transaction, 3))).name).toBe('DatabaseBusyError')
      }),
    )
    expect(guilty.name).toBe('DatabaseBusyError')
    // It had asked for its commit before and shared the batch: it may try again.
    const other = await innocent
    expect(other).toMatchObject({ name: 'DatabaseBusyError' })
    expect(await opened.ids()).toEqual([1])
    await insert(opened.db, 9)
    expect(await opened.ids()).toContain(9)
  })
})

test('controlled transactions with savepoints in savepoints', async () => {
  const transaction = await opened.db.startTransaction().execute()
  await insert(transaction, 1)
  const outer = await transaction.savepoint('outer').execute()
  await insert(outer, 2)
  const inner = await outer.savepoint('unit').execute()
  await insert(inner, 3)
  await inner.rollbackToSavepoint('unit').execute()
  await insert(inner, 4)
  await inner.releaseSavepoint('unit').execute()
  const again = await outer.savepoint('again').execute()
  await insert(again, 5)
  await again.rollbackToSavepoint('outer').execute()
  await insert(transaction, 6)
  await transaction.commit().execute()
  expect(await opened.ids()).toEqual([1, 6])
})

describe('nobody waits for ever', () => {
  test('a transaction that awaits something slow holds up writers, not readers, and all come through', async () => {
    const slow = gate()
    const begun = gate()
    const holder = opened.db.transaction().execute(async (transaction) => {
      await insert(transaction, 1)
      begun.resolve()
      await slow.promise
    })
    await begun.promise
    const writers = [2, 3, 4].map((id) =>
      id === 3 ? opened.db.transaction().execute((transaction) => insert(transaction, id)) : insert(opened.db, id),
    )
    expect(await opened.ids()).toEqual([])
    slow.resolve()
    await Promise.all([holder, ...writers])
    expect(await opened.ids()).toEqual([1, 2, 3, 4])
  })

  test('a transaction that waits for a write outside itself is refused and gives the writer back', async () => {
    const impatient = await openItems({ lockTimeoutMs: 50 })
    const error = await refusal(
      impatient.db.transaction().execute(async (transaction) => {
        await insert(transaction, 1)
        await insert(impatient.db, 2)
      }),
    )
    expect(error.name).toBe('DatabaseBusyError')
    await insert(impatient.db, 3)
    expect(await impatient.ids()).toEqual([3])
    await impatient.close()
  })
})

test('who is told of a conflict finds the row that it is about', async () => {
  for (let round = 0; round < 100; round += 1) {
    const id = 10_000 + round
    const seen = await Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        const work =
          at % 2 === 0 ? insert(opened.db, id) : opened.db.transaction().execute((writer) => insert(writer, id))
        const isFirst = await work.then(
          () => true,
          () => false,
        )
        const row = await opened.db.selectFrom('item').select('id').where('id', '=', id).executeTakeFirst()
        return { isFirst, found: row?.id }
      }),
    )
    expect(seen.filter(({ isFirst }) => isFirst)).toHaveLength(1)
    expect(seen.map(({ found }) => found)).toEqual([id, id, id, id])
  }
})
