import { DatabaseBusyError } from './thread.ts'

type Waiter = { holds: boolean; go: () => void }

/** Keeps logical transactions one after another, and single statements between them, in the order of asking. */
export class WriterLock {
  readonly #patienceMs: number
  #held = false
  readonly #queue = new Set<Waiter>()

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs
  }

  get hasWaiters(): boolean {
    return this.#queue.size > 0
  }

  async hold(): Promise<void> {
    if (this.#held) await this.#wait(true)
    else this.#held = true
  }

  /** For a statement of its own: it must not fall into somebody's transaction, but holds up nobody. */
  async pass(): Promise<void> {
    if (this.#held) await this.#wait(false)
  }

  /** Called when the end of a transaction has been sent, not when it was answered: the next one joins its batch. */
  release(): void {
    this.#held = false
    for (const next of this.#queue) {
      if (this.#held) return
      this.#queue.delete(next)
      this.#held = next.holds
      next.go()
    }
  }

  /** Not for ever: a transaction that waits for a change made outside itself would wait for its own end. */
  #wait(holds: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#queue.delete(waiter)
        reject(new DatabaseBusyError(`another transaction has held the writer for ${this.#patienceMs} ms`))
      }, this.#patienceMs)
      const waiter = {
        holds,
        go: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      this.#queue.add(waiter)
    })
  }
}
