/** Keeps logical transactions one after another, and single statements between them, in the order of asking. */
export class WriterLock {
  #held = false
  #queue: { holds: boolean; go: () => void }[] = []

  get hasWaiters(): boolean {
    return this.#queue.length > 0
  }

  async hold(): Promise<void> {
    if (!this.#held && this.#queue.length === 0) {
      this.#held = true
      return
    }
    await new Promise<void>((go) => this.#queue.push({ holds: true, go }))
  }

  /** For a statement of its own: it must not fall into somebody's transaction, but holds up nobody. */
  async pass(): Promise<void> {
    if (!this.#held && this.#queue.length === 0) return
    await new Promise<void>((go) => this.#queue.push({ holds: false, go }))
  }

  /** Called when the end of a transaction has been sent, not when it was answered: the next one joins its batch. */
  release(): void {
    this.#held = false
    while (!this.#held) {
      const next = this.#queue.shift()
      if (!next) return
      this.#held = next.holds
      next.go()
    }
  }
}
