import type { Job } from '@console/contract'
import type { JobRow } from '../../jobs/job-rows.ts'

export const presentJob = (row: JobRow): Job => ({
  id: row.id,
  kind: row.kind,
  state: row.state,
  progress: row.progress,
  note: row.note,
  result: row.resultJson,
  error: row.error,
  attempt: row.attempt,
  createdAt: row.createdAt,
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
})
