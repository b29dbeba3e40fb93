const everyMs = 250
const noteLimit = 500

export type Progress = { progress: number; note: string | null }
type Write = (progress: Progress) => Promise<void>

/** Writes the newest of many reports, at most four a second and one at a time; `last` hands out what was not written yet. */
export function throttleProgress(write: Write): {
  report: (fraction: number, note?: string) => void
  last: () => Promise<Progress | null>
} {
  let note: string | null = null
  let pending: Progress | null = null
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()
  let nextAt = 0
  let over = false

  const flush = () => {
    timer = null
    if (!pending) return
    const now = pending
    pending = null
    nextAt = Date.now() + everyMs
    writing = writing.then(() => write(now))
  }
  return {
    report(fraction, word) {
      if (over) return
      if (word !== undefined) note = word.replaceAll('\u0000', '').slice(0, noteLimit)
      pending = { progress: Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : 0, note }
      timer ??= setTimeout(flush, Math.max(0, nextAt - Date.now()))
    },
    async last() {
      over = true
      if (timer) clearTimeout(timer)
      await writing
      return pending
    },
  }
}
