import { jobCancel, jobOne, jobPage } from '@console/contract'
import { AppError } from '../../http/app-error.ts'
import { handle, type Route } from '../../http/context.ts'
import { presentJob } from './present.ts'
import { selectJobPage, selectVisibleJob } from './queries.ts'

export const jobRoutes: Route[] = [
  handle(jobPage, async ({ read, session, query }) => {
    const { rows, total } = await selectJobPage(read, session, query)
    return { items: rows.map(presentJob), total, page: query.page, size: query.size }
  }),

  handle(jobOne, async ({ read, session, params }) => presentJob(await selectVisibleJob(read, session, params.id))),

  handle(jobCancel, async ({ change, services, session, params: { id } }) => {
    const row = await change({ action: 'job.cancel', targetKind: 'job', targetId: id }, async (db, after) => {
      await selectVisibleJob(db, session, id)
      const outcome = await services.jobs.askCancel(db, after, session.schoolId, id)
      if (outcome === 'finished') throw new AppError('job.finished')
      return selectVisibleJob(db, session, id)
    })
    return presentJob(row)
  }),
]
