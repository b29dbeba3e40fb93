import { useFormatter } from 'use-intl'

export function Today({ now }: { now: Date }) {
  const format = useFormatter()
  return (
    <time dateTime={now.toISOString()}>
      {format.dateTime(now, { year: 'numeric', month: 'long', day: 'numeric', weekday: 'long' })}
    </time>
  )
}
