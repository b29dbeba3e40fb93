import { useCallback, useSyncExternalStore } from 'react'

const lookEveryMs = 250

function secondsTo(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** Counts down to a moment, and not a number of ticks: a sleeping laptop wakes up right. */
export function useSecondsLeft(until: number): number {
  const watch = useCallback(
    (onChange: () => void) => {
      if (secondsTo(until) === 0) return () => {}
      const timer = setInterval(() => {
        onChange()
        if (secondsTo(until) === 0) clearInterval(timer)
      }, lookEveryMs)
      return () => clearInterval(timer)
    },
    [until],
  )
  return useSyncExternalStore(watch, () => secondsTo(until))
}
