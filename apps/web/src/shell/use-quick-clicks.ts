import { useRef, type MouseEvent } from 'react'

const clicksWanted = 5
const longestGapMs = 300

/** Five clicks, each within 300 ms of the last; the fifth does that and nothing else. */
export function useQuickClicks(onReached: () => void): (event: MouseEvent) => void {
  const run = useRef({ count: 0, at: 0 })
  return (event) => {
    const now = performance.now()
    const goesOn = now - run.current.at <= longestGapMs
    run.current = { count: goesOn ? run.current.count + 1 : 1, at: now }
    if (run.current.count < clicksWanted) return
    run.current = { count: 0, at: 0 }
    event.preventDefault()
    onReached()
  }
}
