import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as f from './fields.ts'

export const subject = z.object({ id: f.id, name: z.string() })
export const grade = z.object({ id: f.id, name: z.string() })
export const schoolClass = z.object({ id: f.id, name: z.string(), gradeId: f.id, gradeName: z.string() })
export const paperSize = z.object({ id: f.id, name: z.string(), width: z.number(), height: z.number() })

const list = <T extends z.ZodType>(summary: string, item: T) =>
  ({ access: 'signed-in', summary, data: z.array(item) }) as const

export const subjectAll = endpoint('GET /api/subject/all', list('All subjects of the school', subject))
export const subjectUser = endpoint('GET /api/subject/userSubject', list('The subjects of the user', subject))
export const subjectTraining = endpoint('GET /api/subject/ptrainingSubject', {
  access: 'training',
  summary: 'The subjects of a grade in which the user may set personalised training',
  query: z.object({ gradeId: f.id }),
  data: z.array(subject),
})
export const gradeAll = endpoint('GET /api/grade/all', list('All grades of the school', grade))
export const gradeUser = endpoint('GET /api/grade/userGrade', list('The grades of the user', grade))
export const gradeTraining = endpoint('GET /api/grade/ptrainingGrade', {
  access: 'training',
  summary: 'The grades in which the user may set personalised training',
  data: z.array(grade),
})
export const classMine = endpoint('GET /api/class/myClasses', list('The classes of the user', schoolClass))
export const classAll = endpoint('GET /api/class/all', list('All classes of the school', schoolClass))
export const paperSizeAll = endpoint('GET /api/paperSize/all', list('Paper sizes in millimetres', paperSize))
