import type { ServerEvents } from '@console/contract'

/** Tells browsers what happened. Also across processes when Redis joins them; never needed for anything to be right. */
export type Realtime = {
  toUser: <E extends keyof ServerEvents>(userId: string, event: E, ...payload: Parameters<ServerEvents[E]>) => void
  toTopic: (schoolId: string, topic: string) => void
  /** Tells the sockets of a session that it is over and closes them. */
  endSessions: (sessionIds: readonly string[], reason: Parameters<ServerEvents['session.ended']>[0]) => void
  /** Ends every socket and takes no more, while others are still told; an open socket would keep the HTTP server open. */
  disconnect: () => void
  close: () => Promise<void>
}
