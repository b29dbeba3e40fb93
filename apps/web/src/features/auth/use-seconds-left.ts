import { useEffect, useState } from 'react'

function secondsTo(until: number): number {
  return Math.max(0, Math.ceil((until - Date.now()) / 1000))
}

/** Counts down to a moment, and not a number of ticks: a sleeping laptop wakes up right. */
export function useSecondsLeft(until: number): number {
  const [seconds, setSeconds] = useState(() => secondsTo(until))
  useEffect(() => {
    setSeconds(secondsTo(until))
    if (until <= Date.now()) return undefined
    const timer = setInterval(() => {
      const left = secondsTo(until)
      setSeconds(left)
      if (left === 0) clearInterval(timer)
    }, 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}
