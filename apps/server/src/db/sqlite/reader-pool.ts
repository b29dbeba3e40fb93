import type { Thread } from './thread.ts'

/** Hands out readers. Streams and snapshots hold theirs for long, so one always stays free for short questions. */
export class ReaderPool {
  readonly #idle: Thread[]
  readonly all: readonly Thread[]
  #longHeld = 0
  #queue: { long: boolean; go: (reader: Thread) => void }[] = []

  constructor(readers: readonly Thread[]) {
    this.all = readers
    this.#idle = [...readers]
  }

  get busy(): number {
    return this.all.length - this.#idle.length
  }

  get queued(): number {
    return this.#queue.length
  }

  acquire(long: boolean): Promise<Thread> {
    return new Promise((go) => {
      this.#queue.push({ long, go })
      this.#dispatch()
    })
  }

  release(reader: Thread, long: boolean): void {
    if (long) this.#longHeld -= 1
    this.#idle.push(reader)
    this.#dispatch()
  }

  #dispatch(): void {
    while (this.#idle.length > 0) {
      const mayBeLong = this.#longHeld < Math.max(1, this.all.length - 1)
      const at = this.#queue.findIndex((waiter) => mayBeLong || !waiter.long)
      if (at < 0) return
      const [waiter] = this.#queue.splice(at, 1)
      const reader = this.#idle.pop()
      if (!waiter || !reader) return
      if (waiter.long) this.#longHeld += 1
      waiter.go(reader)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((reader) => reader.close()))
  }
}
