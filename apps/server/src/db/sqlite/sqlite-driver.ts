import type { DatabaseConnection, Driver, TransactionSettings } from 'kysely'
import type { SqliteOptions } from './sqlite-dialect.ts'
import { ReaderPool } from './reader-pool.ts'
import { SqliteThreadConnection } from './sqlite-connection.ts'
import { Thread } from './thread.ts'
import { WriterLock } from './writer-lock.ts'

export type DriverStats = { physicalCommits: number; logicalCommits: number; busyReaders: number; queuedReads: number }

const writerFile = new URL('./writer-thread.ts', import.meta.url)
const readerFile = new URL('./reader-thread.ts', import.meta.url)

/** What the connections of one driver share. */
export type Shared = {
  writer: Thread
  readers: ReaderPool
  lock: WriterLock
  nextUnit: () => number
  committed: (physicalCommits: number) => void
}

export class SqliteThreadDriver implements Driver {
  readonly #shared: Shared
  #connections = 0
  #allReleased: (() => void) | null = null
  #units = 0
  #logicalCommits = 0
  #earlierCommits = 0
  #lastCommits = 0
  #closing: Promise<void> | null = null

  constructor({ path, readers, busyTimeoutMs, lockTimeoutMs }: Required<SqliteOptions>) {
    const reader = () => new Thread(readerFile, { path, readOnly: true, busyTimeoutMs })
    this.#shared = {
      writer: new Thread(writerFile, { path, readOnly: false, busyTimeoutMs }),
      readers: new ReaderPool(Array.from({ length: Math.max(1, readers) }, reader)),
      lock: new WriterLock(lockTimeoutMs),
      nextUnit: () => (this.#units += 1),
      committed: (physicalCommits) => {
        this.#logicalCommits += 1
        // A new writer thread begins again at one.
        if (physicalCommits < this.#lastCommits) this.#earlierCommits += this.#lastCommits
        this.#lastCommits = physicalCommits
      },
    }
  }

  stats(): DriverStats {
    const { readers } = this.#shared
    return {
      physicalCommits: this.#earlierCommits + this.#lastCommits,
      logicalCommits: this.#logicalCommits,
      busyReaders: readers.busy,
      queuedReads: readers.queued,
    }
  }

  /** For tests of recovery. */
  get writer(): Thread {
    return this.#shared.writer
  }

  get readers(): readonly Thread[] {
    return this.#shared.readers.all
  }

  /** The writer goes first: it makes the file, which the readers open read-only. */
  async init(): Promise<void> {
    await this.#shared.writer.ask({
      kind: 'run',
      unit: 0,
      begin: false,
      statement: { sql: 'select 1', parameters: [] },
    }).answer
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#closing) throw new Error('the database was closed')
    this.#connections += 1
    return new SqliteThreadConnection(this.#shared)
  }

  async releaseConnection(): Promise<void> {
    this.#connections -= 1
    if (this.#connections === 0) this.#allReleased?.()
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await (connection as SqliteThreadConnection).begin(settings.accessMode === 'read only')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteThreadConnection).end('commit')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteThreadConnection).end('rollback')
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as SqliteThreadConnection).command(`savepoint ${quoted(name)}`)
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as SqliteThreadConnection).command(`rollback to ${quoted(name)}`)
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await (connection as SqliteThreadConnection).command(`release ${quoted(name)}`)
  }

  async destroy(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  /** Whoever has a connection finishes with it: a query, a stream, a transaction with all its statements. */
  async #close(): Promise<void> {
    if (this.#connections > 0) await new Promise<void>((resolve) => (this.#allReleased = resolve))
    await this.#shared.readers.close()
    await this.#shared.writer.close()
  }
}

// A name of its own, so that it cannot meet the savepoint by which the writer keeps logical transactions apart.
const quoted = (name: string) => `"user_${name.replaceAll('"', '""')}"`
