import type { DatabaseConnection, Driver, TransactionSettings } from 'kysely'
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
  assertOpen: () => void
}

export class SqliteThreadDriver implements Driver {
  readonly #shared: Shared
  readonly #connections = new Set<SqliteThreadConnection>()
  #units = 0
  #logicalCommits = 0
  #physicalCommits = 0
  #closing: Promise<void> | null = null

  constructor({ path, readers, busyTimeoutMs }: { path: string; readers: number; busyTimeoutMs: number }) {
    const reader = () => new Thread(readerFile, { path, readOnly: true, busyTimeoutMs })
    this.#shared = {
      writer: new Thread(writerFile, { path, readOnly: false, busyTimeoutMs }),
      readers: new ReaderPool(Array.from({ length: Math.max(1, readers) }, reader)),
      lock: new WriterLock(),
      nextUnit: () => (this.#units += 1),
      committed: (physicalCommits) => {
        this.#logicalCommits += 1
        this.#physicalCommits = physicalCommits
      },
      assertOpen: () => {
        if (this.#closing) throw new Error('the database was closed')
      },
    }
  }

  stats(): DriverStats {
    const { readers } = this.#shared
    return {
      physicalCommits: this.#physicalCommits,
      logicalCommits: this.#logicalCommits,
      busyReaders: readers.busy,
      queuedReads: readers.queued,
    }
  }

  /** For tests of recovery. */
  get writer(): Thread {
    return this.#shared.writer
  }

  /** The writer goes first: it makes the file, which the readers open read-only. */
  async init(): Promise<void> {
    await this.#shared.writer.ask({ kind: 'run', unit: 0, begin: false, statement: { sql: 'select 1', parameters: [] } }).answer
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#shared.assertOpen()
    const connection = new SqliteThreadConnection(this.#shared)
    this.#connections.add(connection)
    return connection
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#connections.delete(connection as SqliteThreadConnection)
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

  async #close(): Promise<void> {
    await Promise.allSettled([...this.#connections].map((connection) => connection.idle()))
    await this.#shared.readers.close()
    await this.#shared.writer.close()
  }
}

// A name of its own, so that it cannot meet the savepoint by which the writer keeps logical transactions apart.
const quoted = (name: string) => `"user_${name.replaceAll('"', '""')}"`

