import { SelectQueryNode, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type { Answer, Rows, Statement } from './messages.ts'
import { sqlValues } from './parameters.ts'
import type { Shared } from './sqlite-driver.ts'
import { rowsOf, type Thread } from './thread.ts'

type Options = { signal?: AbortSignal }

/** A Kysely connection: not a thread of its own, but the place where a transaction is known. */
export class SqliteThreadConnection implements DatabaseConnection {
  readonly #shared: Shared
  /** The logical transaction on the writer; begun lazily with its first statement. */
  #unit: { number: number; begun: boolean } | null = null
  /** A read-only transaction: one reader with a snapshot of its own. */
  #snapshot: Thread | null = null

  constructor(shared: Shared) {
    this.#shared = shared
  }

  async begin(readOnly: boolean): Promise<void> {
    if (readOnly) {
      const reader = await this.#shared.readers.acquire(true)
      try {
        await reader.ask({ kind: 'snapshot', end: false }).answer
      } catch (error) {
        this.#shared.readers.release(reader, true)
        throw error
      }
      this.#snapshot = reader
      return
    }
    await this.#shared.lock.hold()
    this.#unit = { number: this.#shared.nextUnit(), begun: false }
  }

  async end(kind: 'commit' | 'rollback'): Promise<void> {
    const snapshot = this.#snapshot
    if (snapshot) {
      this.#snapshot = null
      await snapshot
        .ask({ kind: 'snapshot', end: true })
        .answer.finally(() => this.#shared.readers.release(snapshot, true))
      return
    }
    const unit = this.#unit
    if (!unit) return
    this.#unit = null
    const { lock, writer } = this.#shared
    const answer = unit.begun ? writer.ask({ kind, unit: unit.number, more: lock.hasWaiters }).answer : null
    lock.release()
    const done = await answer
    if (kind === 'commit' && done) this.#shared.committed(commitsIn(done))
  }

  async executeQuery<R>(query: CompiledQuery, options?: Options): Promise<QueryResult<R>> {
    options?.signal?.throwIfAborted()
    const statement = { sql: query.sql, parameters: sqlValues(query.parameters) }
    try {
      return resultOf<R>(await this.#run(statement, isRead(query), options?.signal))
    } catch (error) {
      throw traced(error)
    }
  }

  async command(sql: string): Promise<void> {
    await this.#run({ sql, parameters: [] }, false, undefined)
  }

  async #run(statement: Statement, read: boolean, signal: AbortSignal | undefined): Promise<Rows> {
    const { writer, readers, lock } = this.#shared
    const unit = this.#unit
    if (unit) {
      const begin = !unit.begun
      unit.begun = true
      return rowsIn(await writer.ask({ kind: 'run', unit: unit.number, begin, statement }).answer)
    }
    if (this.#snapshot) return rowsIn(await askReader(this.#snapshot, statement, inSnapshot))
    if (!read) {
      await lock.pass()
      signal?.throwIfAborted()
      const answer = await writer.ask({ kind: 'run', unit: 0, begin: false, statement }).answer
      this.#shared.committed(commitsIn(answer))
      return rowsIn(answer)
    }
    const reader = await readers.acquire(false)
    try {
      signal?.throwIfAborted()
      return rowsIn(await askReader(reader, statement, 0))
    } finally {
      readers.release(reader, false)
    }
  }

  /** Rows in pieces, the next only when asked for. What the writer must answer comes at once. */
  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    if (this.#unit || !isRead(query)) {
      yield await this.executeQuery<R>(query)
      return
    }
    const statement = { sql: query.sql, parameters: sqlValues(query.parameters) }
    const held = this.#snapshot
    const reader = held ?? (await this.#shared.readers.acquire(true))
    const opened = reader.ask({
      kind: 'open-stream',
      unit: held ? inSnapshot : 0,
      statement,
      chunk: Math.max(1, chunkSize),
    })
    try {
      await opened.answer
      for (let done = false; !done;) {
        const answer = await reader.ask({ kind: 'next-chunk', stream: opened.id }).answer
        done = 'done' in answer && answer.done === true
        const rows = rowsIn(answer)
        if (rows.rows.length > 0) yield resultOf<R>(rows)
      }
    } finally {
      await reader.ask({ kind: 'close-stream', stream: opened.id }).answer.catch(() => undefined)
      if (!held) this.#shared.readers.release(reader, true)
    }
  }
}

/** Tells a reader that the statement belongs to the snapshot that it holds. */
const inSnapshot = 1

const askReader = (reader: Thread, statement: Statement, unit: number) =>
  reader.ask({ kind: 'run', unit, begin: false, statement }).answer

/** Readers are opened read-only, so a wrong guess fails and never writes. */
function isRead({ query, sql }: CompiledQuery): boolean {
  if (SelectQueryNode.is(query)) return !query.with?.expressions.some((item) => !SelectQueryNode.is(item.expression))
  return query.kind === 'RawNode' && /^\s*(select|explain)\b/i.test(sql)
}

const commitsIn = (answer: Answer) => ('commits' in answer ? (answer.commits ?? 0) : 0)

function rowsIn(answer: Answer): Rows {
  if ('rows' in answer) return answer.rows
  throw new Error('the database thread gave an answer of another kind')
}

function resultOf<R>(rows: Rows): QueryResult<R> {
  return {
    rows: rowsOf(rows) as R[],
    ...(rows.changes === null ? {} : { numAffectedRows: BigInt(rows.changes) }),
    ...(rows.lastId === null ? {} : { insertId: BigInt(rows.lastId) }),
  }
}

/** The error was made where the thread's answer arrived; the caller's own stack says which query it was. */
function traced(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error, traced)
  return error
}
