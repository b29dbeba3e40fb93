import { topicPattern } from '@console/contract'
import type { Session } from '../http/session.ts'
import type { Log } from '../log.ts'
import type { Services } from '../services.ts'
import type { ConsoleSocket } from './io.ts'
import { rooms } from './rooms.ts'

/** By the word before the colon: may this session watch that one? A kind that is not here is refused. */
export type TopicPolicies = Record<string, (services: Services, session: Session, id: string) => Promise<boolean>>

/** The policies, and what they ask. */
export type Topics = { policies: TopicPolicies; services: () => Services }

const topicsPerSocket = 50

export function answerTopics(socket: ConsoleSocket, known: Topics | undefined, log: Log): void {
  const { session, topics } = socket.data
  socket.on('topic.watch', async (topic: unknown, done: unknown) => {
    const answer = typeof done === 'function' ? (ok: boolean): void => done({ ok }) : () => undefined
    if (typeof topic !== 'string' || !topicPattern.test(topic)) return answer(false)
    if (!topics.has(topic) && topics.size >= topicsPerSocket) return answer(false)
    // Counted before the policy is asked, so that a flood of wishes is no flood of queries.
    topics.add(topic)
    const ok = await isAllowed(topic, known, session, log)
    // Left again, or gone, while the policy was asked.
    if (ok && topics.has(topic) && socket.connected) await socket.join(rooms.topic(session.schoolId, topic))
    if (!ok) topics.delete(topic)
    answer(ok)
  })
  socket.on('topic.leave', (topic: unknown) => {
    if (typeof topic !== 'string' || !topics.delete(topic)) return
    void socket.leave(rooms.topic(session.schoolId, topic))
  })
}

async function isAllowed(topic: string, known: Topics | undefined, session: Session, log: Log): Promise<boolean> {
  const [kind = '', id = ''] = topic.split(':')
  if (kind === 'school') return id === ''
  const policy = known && Object.hasOwn(known.policies, kind) ? known.policies[kind] : undefined
  if (!known || !policy) return false
  try {
    return await policy(known.services(), session, id)
  } catch (error) {
    log.warn({ err: error, topic: kind }, 'a topic could not be checked')
    return false
  }
}
