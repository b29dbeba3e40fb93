import * as contract from '@console/contract'
import { handle, type Route } from '../../http/context.ts'
import { selectSubjectsOf } from '../user/present.ts'
import * as queries from './queries.ts'

export const referenceRoutes: Route[] = [
  handle(contract.subjectAll, async ({ read }) => queries.selectSubjects(read)),
  handle(contract.subjectUser, async ({ read, session }) => {
    const rows = await selectSubjectsOf(read, [session.userId])
    return rows.map(({ id, name }) => ({ id, name }))
  }),
  handle(contract.subjectTraining, async ({ read, session, query }) =>
    queries.selectTrainingSubjects(read, session, query.gradeId),
  ),
  handle(contract.gradeAll, async ({ read }) => queries.selectGrades(read)),
  handle(contract.gradeUser, async ({ read, session }) => queries.selectGradesOf(read, session)),
  handle(contract.gradeTraining, async ({ read, session }) => queries.selectGradesOf(read, session, true)),
  handle(contract.classMine, async ({ read, session }) => queries.selectClassesOf(read, session.userId)),
  handle(contract.classAll, async ({ read }) => queries.selectClasses(read)),
  handle(contract.paperSizeAll, async ({ read }) => queries.selectPaperSizes(read)),
]
