import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isBusy } from '../busy.ts'
import { gate, insert, longQuery, openItems, refusal, type Opened } from './testing.ts'

let opened: Opened
beforeEach(async () => {
  opened = await openItems({ busyTimeoutMs: 50 })
})
afterEach(() => opened.close())

/** Another process, since two connections of one process are told apart no better than two threads. */
async function holdInAnotherProcess(path: string): Promise<() => Promise<void>> {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('begin immediate; insert into item (id) values (77)')
    console.log('held')
    process.stdin.once('data', () => { database.exec('rollback'); database.close(); process.exit() })`
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', script, path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return async () => {
    const gone = once(child, 'exit')
    child.stdin.write('go\n')
    await gone
  }
}

describe('another process that holds the write lock', () => {
  test('is told as busy, holds up no reader, and is no harm once it has let go', async () => {
    await insert(opened.db, 1)
    const letGo = await holdInAnotherProcess(opened.path)
    const single = await refusal(insert(opened.db, 2))
    const begun = await refusal(opened.db.transaction().execute((transaction) => insert(transaction, 3)))
    const kept = await refusal(
      opened.db.transaction().execute(async (transaction) => {
        await refusal(insert(transaction, 4))
        await insert(transaction, 5)
      }),
    )
    for (const error of [single, begun, kept]) {
      expect(error.name).toBe('DatabaseBusyError')
      expect(isBusy(error)).toBe(true)
    }
    expect(await opened.ids()).toEqual([1])
    await letGo()
    await insert(opened.db, 6)
    expect(await opened.ids()).toEqual([1, 6])
  })
})

describe('the writer thread dies', () => {
  test('what is outstanding is refused, the next goes on, and what was acknowledged is there', async () => {
    const acknowledged: number[] = []
    const refused: Error[] = []
    for (let round = 0; round < 10; round += 1) {
      const work = Array.from({ length: 200 }, (_, n) => {
        const id = round * 1000 + n
        const unit =
          n % 2 === 0
            ? insert(opened.db, id)
            : opened.db.transaction().execute((transaction) => insert(transaction, id))
        return unit.then(
          () => acknowledged.push(id),
          (error: Error) => refused.push(error),
        )
      })
      await Promise.race(work)
      await opened.dialect.driver.writer.kill()
      await insert(opened.db, round * 1000 + 999)
      acknowledged.push(round * 1000 + 999)
      await Promise.all(work)
    }
    const stored = new Set(await opened.ids())
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
    expect(
      [...new Set(refused.map((error) => error.name))].filter(
        (name) => !['ThreadLostError', 'DatabaseBusyError'].includes(name),
      ),
    ).toEqual([])
  })

  test('a transaction in the middle is rolled back and never goes on in the new thread', async () => {
    const error = await refusal(
      opened.db.transaction().execute(async (transaction) => {
        await insert(transaction, 1)
        await opened.dialect.driver.writer.kill()
        await refusal(insert(transaction, 2))
      }),
    )
    expect(isBusy(error)).toBe(true)
    await insert(opened.db, 3)
    expect(await opened.ids()).toEqual([3])
  })

  test('the figures go on', async () => {
    await insert(opened.db, 1)
    const before = opened.dialect.stats()
    await opened.dialect.driver.writer.kill()
    await insert(opened.db, 2)
    expect(opened.dialect.stats().physicalCommits).toBeGreaterThan(before.physicalCommits)
  })
})

test('a reader that dies is replaced, also in the middle of a query or a stream', async () => {
  await insert(opened.db, ...Array.from({ length: 100 }, (_, n) => n))
  const stream = opened.db.selectFrom('item').select('id').stream(10)
  await stream.next()
  const long = refusal(longQuery(opened.db, 100_000_000))
  await opened.ids()
  await Promise.all(opened.dialect.driver.readers.map((reader) => reader.kill()))
  expect((await long).name).toBe('ThreadLostError')
  const rest = (async () => {
    for await (const row of stream) expect(row.id).toBeLessThan(10)
  })()
  await rest
  expect(await Promise.all(Array.from({ length: 6 }, () => opened.ids()))).toHaveLength(6)
  expect(opened.dialect.stats()).toMatchObject({ busyReaders: 0, queuedReads: 0 })
})

describe('destroy', () => {
  test('waits for queries, streams and transactions, and refuses what comes later', async () => {
    const other = await openItems()
    await insert(other.db, 1, 2, 3)
    const go = gate()
    const begun = gate()
    const transaction = other.db.transaction().execute(async (handle) => {
      await insert(handle, 10)
      begun.resolve()
      await go.promise
      await insert(handle, 11)
    })
    await begun.promise
    const queued = insert(other.db, 12)
    const long = longQuery(other.db)
    const stream = other.db.selectFrom('item').select('id').stream(1)
    await stream.next()
    const destroyed = other.db.destroy()
    // Kysely turns the door sign with the next tick.
    await turn()
    expect((await refusal(insert(other.db, 13))).message).toMatch(/destroyed/)
    go.resolve()
    let streamed = 1
    for await (const row of stream) streamed += row.id > 0 ? 1 : 0
    expect(streamed).toBe(3)
    await Promise.all([transaction, queued, long])
    await destroyed
    const file = new DatabaseSync(other.path)
    expect(
      file
        .prepare('select id from item order by id')
        .all()
        .map((row) => row['id']),
    ).toEqual([1, 2, 3, 10, 11, 12])
    file.close()
    await other.close()
  })

  test('a thread that was closed stays closed', async () => {
    const other = await openItems()
    await other.ids()
    await other.db.destroy()
    for (const thread of [other.dialect.driver.writer, ...other.dialect.driver.readers]) {
      expect((await refusal(thread.ask({ kind: 'next-chunk', stream: 1 }).answer)).message).toBe(
        'the database was closed',
      )
    }
    await other.close()
  })

  test('a writer that closes with a transaction open does not store half of it', async () => {
    const other = await openItems()
    const { writer } = other.dialect.driver
    const run = (sql: string, unit: number, begin: boolean) =>
      writer.ask({ kind: 'run', unit, begin, statement: { sql, parameters: [] } }).answer
    await run('insert into item (id) values (1)', 0, false)
    await run('insert into item (id) values (2)', 9, true)
    await writer.close()
    const file = new DatabaseSync(other.path)
    expect(
      file
        .prepare('select id from item')
        .all()
        .map((row) => row['id']),
    ).toEqual([1])
    file.close()
    await other.close()
  })
})
