import type { Store } from '../db/store.ts'
import type { Session } from '../http/session.ts'
import type { Log } from '../log.ts'
import type { Io } from './io.ts'

const batch = 500

/** A socket must not outlive its session: what ended in a way that nobody announced, or just ran out, is found here. */
export async function cutEndedSessions(io: Io, store: Store, log: Log): Promise<void> {
  try {
    const sockets = [...io.of('/').sockets.values()]
    const bySchool = Map.groupBy(
      new Map(sockets.map(({ data }) => [data.session.tokenHash, data.session])).values(),
      ({ schoolId }) => schoolId,
    )
    const checked = new Set<string>()
    const live = new Set<string>()
    for (const [schoolId, sessions] of bySchool) {
      for (let at = 0; at < sessions.length; at += batch) {
        const part = sessions.slice(at, at + batch)
        for (const hash of await selectLive(store, schoolId, part)) live.add(hash)
        for (const { tokenHash } of part) checked.add(tokenHash)
      }
    }
    for (const socket of sockets) {
      const { tokenHash } = socket.data.session
      if (!checked.has(tokenHash) || live.has(tokenHash)) continue
      socket.emit('session.ended', 'revoked')
      socket.disconnect(true)
    }
  } catch (error) {
    log.warn({ err: error }, 'the sessions of open sockets could not be checked')
  }
}

async function selectLive(store: Store, schoolId: string, sessions: readonly Session[]): Promise<string[]> {
  const hashes = sessions.map(({ tokenHash }) => tokenHash)
  const rows = await store
    .school(schoolId)
    .selectFrom('userSession as s')
    .innerJoin('userAccount as u', 'u.id', 's.userId')
    .select('s.tokenHash')
    .where('s.tokenHash', 'in', hashes)
    .where('s.expiresAt', '>', Date.now())
    .where('u.state', '=', 'active')
    .execute()
  return rows.map(({ tokenHash }) => tokenHash)
}
