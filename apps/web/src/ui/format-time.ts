import dayjs from 'dayjs'
import { say } from '../app/locale.ts'

/** The console's date format; what is no date says so. */
export function formatTime(time: number | string | null): string {
  const parsed = time === null || time === '' ? null : dayjs(time)
  return parsed?.isValid() ? parsed.format('YYYY-MM-DD HH:mm:ss') : say('common.invalidDate')
}
