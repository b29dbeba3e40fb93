import assert from 'node:assert/strict'
import { setImmediate as turn } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openItems, type TestDatabase } from './testing.ts'

/** What one logical transaction does: it reads and writes a few counters, and commits or not. */
type Step = { key: number; kind: 'add' | 'set' | 'remove' | 'fail' | 'savepoint' | 'turn'; by: number }
type Unit = { steps: Step[]; end: 'commit' | 'throw'; isSingle: boolean }
type Model = Map<number, number>

const keys = 6
const unit: fc.Arbitrary<Unit> = fc.record({
  steps: fc.array(
    fc.record({
      key: fc.nat(keys - 1),
      kind: fc.constantFrom('add', 'add', 'set', 'remove', 'fail', 'savepoint', 'turn'),
      by: fc.integer({ min: -9, max: 9 }),
    }),
    { minLength: 1, maxLength: 12 },
  ),
  end: fc.constantFrom('commit', 'commit', 'throw'),
  isSingle: fc.boolean(),
}) as fc.Arbitrary<Unit>

class Wanted extends Error {}

async function apply(db: Kysely<TestDatabase>, { key, kind, by }: Step): Promise<void> {
  if (kind === 'turn') await turn()
  else if (kind === 'set')
    await sql`insert into item (id, amount) values (${key}, ${by}) on conflict (id) do update set amount = excluded.amount`.execute(
      db,
    )
  else if (kind === 'add')
    await db
      .updateTable('item')
      .set({ amount: sql<number>`amount + ${by}` })
      .where('id', '=', key)
      .execute()
  else if (kind === 'remove') await db.deleteFrom('item').where('id', '=', key).execute()
  else if (kind === 'fail')
    await sql`insert into item (id, amount) values (${key}, 'x')`.execute(db).catch(() => undefined)
  else {
    await sql`savepoint mine`.execute(db)
    await db.deleteFrom('item').execute()
    await sql`rollback to mine`.execute(db)
    await sql`release mine`.execute(db)
  }
}

function applyToModel(model: Model, { key, kind, by }: Step): void {
  const before = model.get(key)
  if (kind === 'set') model.set(key, by)
  else if (kind === 'add' && before !== undefined) model.set(key, before + by)
  else if (kind === 'remove') model.delete(key)
}

async function stateOf(db: Kysely<TestDatabase>): Promise<[number, number][]> {
  const rows = await db.selectFrom('item').select(['id', 'amount']).orderBy('id').execute()
  return rows.map((row) => [row.id, Number(row.amount)])
}

const sorted = (model: Model) => [...model].toSorted(([a], [b]) => a - b)

/** The order of the model is the order in which the units got the writer: their first statement says so. */
async function runUnit(db: Kysely<TestDatabase>, model: Model, { steps, end, isSingle }: Unit): Promise<void> {
  const [first] = steps
  if (isSingle && first && ['set', 'add', 'remove'].includes(first.kind)) {
    await db.transaction().execute((transaction) => apply(transaction, first).then(() => applyToModel(model, first)))
    return
  }
  await db
    .transaction()
    .execute(async (transaction) => {
      const mine = new Map(model)
      for (const step of steps) {
        await apply(transaction, step)
        applyToModel(mine, step)
        assert.deepEqual(await stateOf(transaction), sorted(mine))
      }
      if (end === 'throw') throw new Wanted()
      // Nobody else is inside now, so this is where the transaction takes its place in the order.
      model.clear()
      for (const [key, value] of mine) model.set(key, value)
    })
    .catch((error: unknown) => {
      if (!(error instanceof Wanted)) throw error
    })
}

test('many transactions at once, some of them undone, do what they would do one after the other', async () => {
  const opened = await openItems()
  const model: Model = new Map()
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 5, maxLength: 40 }), async (units) => {
        await Promise.all(units.map((one) => runUnit(opened.db, model, one)))
        expect(await stateOf(opened.db)).toEqual(sorted(model))
      }),
      { numRuns: 25 },
    )
  } finally {
    await opened.close()
  }
})

test('single statements between transactions are neither lost nor done twice', async () => {
  const opened = await openItems()
  await sql`insert into item (id, amount) values (1, 0)`.execute(opened.db)
  const add = (db: Kysely<TestDatabase>) =>
    db
      .updateTable('item')
      .set({ amount: sql<number>`amount + 1` })
      .where('id', '=', 1)
      .execute()
  const undone = (n: number) =>
    opened.db.transaction().execute(async (transaction) => {
      await add(transaction)
      if (n % 5 === 0) throw new Wanted()
      await add(transaction)
    })
  const results = await Promise.allSettled(
    Array.from({ length: 600 }, (_, n) => (n % 2 === 0 ? add(opened.db) : undone(n))),
  )
  const refused = results.filter((result) => result.status === 'rejected').length
  expect(refused).toBe(60)
  expect(await stateOf(opened.db)).toEqual([[1, 300 + (300 - refused) * 2]])
  await opened.close()
})
