import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { isBusyCode } from './failure.ts'
import type { Rows, SqlValue, Statement, ThreadOptions } from './messages.ts'

const statementsKept = 500

type Prepared = { statement: StatementSync; givesRows: boolean }

/** Asked after the statement ran: only then SQLite has noticed that the table was altered meanwhile. */
const columnNames = (statement: StatementSync): string[] => statement.columns().map((column) => column.name)

/** One open database with its prepared statements; lives in a thread of its own. */
export class Connection {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, Prepared>()

  constructor(options: ThreadOptions) {
    this.database = new DatabaseSync(options.path, { readOnly: options.readOnly, timeout: options.busyTimeoutMs })
    if (!options.readOnly) this.#useWal(options.busyTimeoutMs)
    // FULL: a commit that was acknowledged is on the disk, also when the power goes in the next moment.
    this.database.exec(`
      pragma synchronous = full;
      pragma foreign_keys = on;
      pragma temp_store = memory;
      pragma cache_size = -32000;
      pragma mmap_size = 268435456;
    `)
  }

  /** SQLite does not wait by itself when two processes open a new file at once and both turn it to WAL. */
  #useWal(patienceMs: number): void {
    const until = performance.now() + patienceMs
    for (;;) {
      try {
        this.database.exec('pragma journal_mode = wal')
        return
      } catch (error) {
        if (!isBusyCode((error as { errcode?: number }).errcode) || performance.now() > until) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
      }
    }
  }

  prepare(sql: string): Prepared {
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
    const prepared = { statement, givesRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    return prepared
  }

  run({ sql, parameters }: Statement): Rows {
    const { statement, givesRows } = this.prepare(sql)
    if (!givesRows) {
      const { changes, lastInsertRowid } = statement.run(...parameters)
      return { columns: [], rows: [], changes: Number(changes), lastId: lastInsertRowid }
    }
    const rows = statement.all(...parameters) as unknown as SqlValue[][]
    return { columns: columnNames(statement), rows, changes: rows.length, lastId: null }
  }

  /** A result read bit by bit: its statement is its own, since a cached one could be asked again meanwhile. */
  iterate({ sql, parameters }: Statement): { columns: string[]; rows: Iterator<SqlValue[]> } {
    const statement = this.database.prepare(sql)
    statement.setReturnArrays(true)
    return {
      columns: columnNames(statement),
      rows: statement.iterate(...parameters) as unknown as Iterator<SqlValue[]>,
    }
  }

  close(): void {
    this.#statements.clear()
    this.database.close()
  }
}
