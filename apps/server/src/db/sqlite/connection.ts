import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { FailureData, Rows, SqlValue, Statement, ThreadOptions } from './messages.ts'

const statementsKept = 500
const busyCode = 5

/** One open database with its prepared statements; lives in a thread of its own. */
export class Connection {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(options: ThreadOptions) {
    this.database = new DatabaseSync(options.path, { readOnly: options.readOnly, timeout: options.busyTimeoutMs })
    if (!options.readOnly) this.database.exec('pragma journal_mode = wal')
    // FULL: a commit that was acknowledged is on the disk, also when the power goes in the next moment.
    this.database.exec(`
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma temp_store = memory;
      pragma cache_size = -32000;
      pragma mmap_size = 268435456;
    `)
  }

  prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    const statement = this.database.prepare(sql)
    statement.setReturnArrays(true)
    if (this.#statements.size >= statementsKept) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }

  run({ sql, parameters }: Statement): Rows {
    const statement = this.prepare(sql)
    const columns = statement.columns().map((column) => column.name)
    if (columns.length === 0) {
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { columns, rows: [], changes: Number(changes), lastId: lastInsertRowid }
    }
    const rows = statement.all(...parameters) as unknown as SqlValue[][]
    return { columns, rows, changes: rows.length, lastId: null }
  }

  /** A result read bit by bit: its statement is its own, since a cached one could be asked again meanwhile. */
  iterate({ sql, parameters }: Statement): { columns: string[]; rows: Iterator<SqlValue[]> } {
    const statement = this.database.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map((column) => column.name)
    return { columns, rows: statement.iterate(...parameters) as unknown as Iterator<SqlValue[]> }
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }
}

export function failureOf(thrown: unknown): FailureData {
  const error = thrown as Error & { code?: string; errcode?: number; errstr?: string }
  return {
    message: error.message,
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.errcode === undefined ? {} : { errcode: error.errcode }),
    ...(error.errstr === undefined ? {} : { errstr: error.errstr }),
    ...(error.errcode !== undefined && (error.errcode & 0xff) === busyCode ? { busy: true } : {}),
  }
}
