import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as f from './fields.ts'

export const jobStates = ['queued', 'running', 'done', 'failed', 'cancelled'] as const

export const job = z.object({
  id: f.id,
  kind: z.string(),
  state: z.enum(jobStates),
  /** 0 to 1. */
  progress: z.number(),
  note: z.string().nullable(),
  result: z.unknown(),
  error: z.string().nullable(),
  attempt: z.number().int(),
  createdAt: f.time,
  startedAt: f.time.nullable(),
  finishedAt: f.time.nullable(),
})
export type Job = z.infer<typeof job>

export const jobPage = endpoint('GET /api/job/page', {
  access: 'signed-in',
  summary: 'The own jobs, newest first; an administrator sees those of the school',
  query: f.pageQuery.extend({ state: z.enum(jobStates).optional() }),
  data: f.pageOf(job),
})
export const jobOne = endpoint('GET /api/job/{id}', {
  access: 'signed-in',
  summary: 'One job with its progress',
  params: z.object({ id: f.id }),
  data: job,
})
export const jobCancel = endpoint('POST /api/job/{id}/cancel', {
  access: 'signed-in',
  summary: 'Stop a job: at once when it has not begun, else as soon as it looks',
  params: z.object({ id: f.id }),
  data: job,
})
