import { Worker } from 'node:worker_threads'
import { failureOf } from './failure.ts'
import type { Answer, FailureData, Request, Rows, SqlValue, ThreadOptions } from './messages.ts'

/** Another process holds the database for writing, longer than we wait. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError'
}

/** The thread died; what it had not answered is unknown to the caller and was not acknowledged. */
class ThreadLostError extends Error {
  override readonly name = 'ThreadLostError'
}

type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void }
/** What was asked of one worker: the end of a dead one must not reject what its successor was asked. */
type Running = { worker: Worker; waiting: Map<number, Waiting> }
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never

/** A thread with a database of its own; started when first asked, and again after it died. */
export class Thread {
  readonly #file: URL
  readonly #options: ThreadOptions
  #running: Running | null = null
  #nextId = 1
  #closing = false

  constructor(file: URL, options: ThreadOptions) {
    this.#file = file
    this.#options = options
  }

  /** The id is given back at once, since a stream is later named by the id that opened it. */
  ask(request: WithoutId<Request>): { id: number; answer: Promise<Answer> } {
    const id = this.#nextId++
    if (this.#closing) return { id, answer: Promise.reject(new Error('the database was closed')) }
    return { id, answer: this.#send(id, request) }
  }

  #send(id: number, request: WithoutId<Request>): Promise<Answer> {
    const { worker, waiting } = (this.#running ??= this.#start())
    const answer = new Promise<Answer>((resolve, reject) => waiting.set(id, { resolve, reject }))
    worker.ref()
    worker.postMessage({ ...request, id })
    return answer
  }

  async close(): Promise<void> {
    this.#closing = true
    const worker = this.#running?.worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    // A thread that dies instead of closing has ended just as well; what it held was refused to those who asked.
    await this.#send(this.#nextId++, { kind: 'close' }).catch(() => undefined)
    await ended
  }

  /** For tests of recovery: the thread is gone in the middle of whatever it does. */
  async kill(): Promise<void> {
    await this.#running?.worker.terminate()
  }

  #start(): Running {
    const worker = new Worker(this.#file, {
      workerData: this.#options,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const running: Running = { worker, waiting: new Map() }
    worker.on('message', (answer: Answer) => this.#settle(running, answer))
    worker.on('error', (error) => this.#lost(running, error))
    worker.on('exit', () => this.#lost(running, null))
    return running
  }

  #settle({ worker, waiting }: Running, answer: Answer): void {
    const asked = waiting.get(answer.id)
    waiting.delete(answer.id)
    // A thread with nothing to do does not keep the process; one that is closing does, until it has checkpointed.
    if (waiting.size === 0 && !this.#closing) worker.unref()
    if (!asked) return
    if ('failure' in answer) asked.reject(errorOf(answer.failure))
    else asked.resolve(answer)
  }

  #lost(running: Running, cause: unknown): void {
    if (this.#running === running) this.#running = null
    const lost = [...running.waiting.values()]
    running.waiting.clear()
    for (const { reject } of lost) reject(lostError(cause))
  }
}

/** A thread ends at once when it cannot even open the file because another process holds it. */
function lostError(cause: unknown): Error {
  const failure = failureOf(cause instanceof Error ? cause : new Error('the database thread ended'))
  if (failure.busy) return new DatabaseBusyError(failure.message, { cause })
  return new ThreadLostError('the database thread ended', { cause })
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
