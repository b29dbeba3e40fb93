import { Worker } from 'node:worker_threads'
import type { Answer, FailureData, Request, Rows, SqlValue, ThreadOptions } from './messages.ts'

/** Another process holds the database for writing, longer than we wait. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The thread died; what it had not answered is unknown to the caller and was not acknowledged. */
export class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError'
}

type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void }
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** A thread with a database of its own; started when first asked, and again after it died. */
export class Thread {
  readonly #file: URL
  readonly #options: ThreadOptions
  #worker: Worker | null = null
  #nextId = 1
  #closing = false
  readonly #waiting = new Map<number, Waiting>()

  constructor(file: URL, options: ThreadOptions) {
    this.#file = file
    this.#options = options
  }

  get pending(): number {
    return this.#waiting.size
  }

  /** The id is given back at once, since a stream is later named by the id that opened it. */
  ask(request: WithoutId<Request>): { id: number; answer: Promise<Answer> } {
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    const answer = new Promise<Answer>((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    worker.ref()
    worker.postMessage({ ...request, id })
    return { id, answer }
  }

  async close(): Promise<void> {
    if (!this.#worker) return
    const worker = this.#worker
    this.#closing = true
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    await this.ask({ kind: 'close' }).answer
    await ended
  }

  /** For tests of recovery: the thread is gone in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#file, { workerData: this.#options, execArgv: ['--disable-warning=ExperimentalWarning'] })
    worker.on('message', (answer: Answer) => this.#settle(worker, answer))
    worker.on('error', (error) => this.#lost(worker, error))
    worker.on('exit', () => this.#lost(worker, null))
    return worker
  }

  #settle(worker: Worker, answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    // A thread with nothing to do does not keep the process; one that is closing does, until it has checkpointed.
    if (this.#waiting.size === 0 && !this.#closing) worker.unref()
    if (!waiting) return
    if ('failure' in answer) waiting.reject(errorOf(answer.failure))
    else waiting.resolve(answer)
  }

  #lost(worker: Worker, cause: unknown): void {
    if (this.#worker === worker) this.#worker = null
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(new ThreadLostError('the database thread ended', { cause }))
  }
}

function errorOf(failure: FailureData): Error {
  if (failure.busy) return new DatabaseBusyError(failure.message)
  const { message, code, errcode, errstr } = failure
  return Object.assign(new Error(message), { code, errcode, errstr })
}

export function rowsOf(rows: Rows): Record<string, SqlValue>[] {
  const { columns } = rows
  return rows.rows.map((values) => {
    const row: Record<string, SqlValue> = {}
    for (let at = 0; at < columns.length; at += 1) row[columns[at] as string] = values[at] as SqlValue
    return row
  })
}
