import { useFormatter } from 'use-intl'

export function Today() {
  const format = useFormatter()
  const now = new Date()
  return (
    <time dateTime={now.toISOString()}>
      {format.dateTime(now, { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' })}
    </time>
  )
}
