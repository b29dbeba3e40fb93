import type { Job } from './job.ts'

/** What the server sends over the websocket; a name and its payload, in one place for both sides. */
export type ServerEvents = {
  'job.changed': (job: Pick<Job, 'id' | 'kind' | 'state' | 'progress' | 'note' | 'error'>) => void
  'session.ended': (reason: 'revoked' | 'disabled' | 'password') => void
  'topic.changed': (change: { topic: string; at: number }) => void
}

export type ClientEvents = {
  'topic.watch': (topic: string, done: (answer: { ok: boolean }) => void) => void
  'topic.leave': (topic: string) => void
}

export const heartbeatMs = 10_000
export const topicPattern = /^[a-z][a-zA-Z]{0,30}(:[0-9a-f-]{36})?$/
