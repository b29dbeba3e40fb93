import type { Session } from '../../http/session.ts'
import type { JobRow } from '../../jobs/job-rows.ts'

/** The own jobs; an administrator those of the school. The query of the list asks the same. */
export const canSeeJob = (session: Pick<Session, 'userId' | 'isAdmin'>, job: Pick<JobRow, 'userId'>): boolean =>
  session.isAdmin || job.userId === session.userId
