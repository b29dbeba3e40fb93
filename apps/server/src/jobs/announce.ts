import type { Realtime } from '../realtime/realtime.ts'
import type { JobRow } from './job-rows.ts'

export type Announce = (row: Pick<JobRow, 'id' | 'kind' | 'userId' | 'state' | 'progress' | 'note' | 'error'>) => void

/** Called after a state is stored, never before: what a browser then reads is at least as new. */
export const announceWith =
  (realtime: () => Pick<Realtime, 'toUser'>): Announce =>
  ({ id, kind, userId, state, progress, note, error }) => {
    if (userId) realtime().toUser(userId, 'job.changed', { id, kind, state, progress, note, error })
  }
