import { contains } from '../../db/contains.ts'
import { notFound } from '../../http/app-error.ts'
import type { ReadDb } from '../../db/store.ts'
import type { Session } from '../../http/session.ts'
import type { JobRow } from '../../jobs/job-rows.ts'
import { canSeeJob } from './policy.ts'

type PageOfJobs = { page: number; size: number; state?: JobRow['state'] | undefined; text?: string | undefined }
type Reader = Pick<Session, 'userId' | 'isAdmin'>

export async function selectJobPage(db: ReadDb, session: Reader, { page, size, state, text }: PageOfJobs) {
  let visible = db.selectFrom('job')
  if (!session.isAdmin) visible = visible.where('userId', '=', session.userId)
  if (state) visible = visible.where('state', '=', state)
  if (text) visible = visible.where((where) => contains(where.ref('kind'), text))
  const { total } = await visible.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await visible
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute()
  return { rows, total }
}

/** A job of somebody else is no job at all: nobody learns that it exists. */
export async function selectVisibleJob(db: ReadDb, session: Reader, id: string): Promise<JobRow> {
  const row = await db.selectFrom('job').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row || !canSeeJob(session, row)) throw notFound()
  return row
}
