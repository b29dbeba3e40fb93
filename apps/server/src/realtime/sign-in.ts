import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import type { Store } from '../db/store.ts'
import { mayCallFrom } from '../http/origins.ts'
import { findSession } from '../http/session.ts'
import { tokenOfHeader } from '../http/token.ts'
import type { Log } from '../log.ts'
import type { ConsoleSocket, Io } from './io.ts'
import { rooms } from './rooms.ts'

const connectionsPerUser = 20

type Next = (error?: Error) => void
type Answer = (problem: string | null, allowed: boolean) => void

/**
 * A browser says where its page came from; another site's page gets no socket, whatever token it holds.
 * What is no browser sends no Origin and is known by its token alone.
 */
export const originChecker =
  (config: Pick<Config, 'PUBLIC_URL' | 'TRUST_PROXY' | 'ENV_TYPE' | 'CROSS_ORIGINS'>) =>
  (request: IncomingMessage, answer: Answer): void => {
    const { origin } = request.headers
    if (origin === undefined) return answer(null, true)
    const forwarded = config.TRUST_PROXY
      ? String(request.headers['x-forwarded-host'] ?? '')
          .split(',')[0]
          ?.trim()
      : ''
    const own = [request.headers.host, forwarded, config.PUBLIC_URL ? new URL(config.PUBLIC_URL).host : '']
    const from = URL.canParse(origin) ? new URL(origin).host : ''
    const isOwn = (from !== '' && own.includes(from)) || mayCallFrom(config, origin)
    answer(isOwn ? null : 'origin', isOwn)
  }

export const demandSignIn = (store: Store, log: Log) => (socket: ConsoleSocket, next: Next) => {
  const answer = async () => next(await signIn(store, log, socket))
  void answer()
}

async function signIn(store: Store, log: Log, socket: ConsoleSocket): Promise<Error | undefined> {
  try {
    const token = tokenOf(socket)
    const session = token ? await findSession(store, token, Date.now()) : null
    if (!session) return new Error('access.signInNeeded')
    socket.data = { session, topics: new Set() }
    return undefined
  } catch (error) {
    log.warn({ err: error }, 'a socket could not be signed in')
    return new Error('server.busy')
  }
}

/** Forgotten tabs and runaway reconnecting must not eat the server; counted for each process by itself. */
export const limitConnections =
  (io: Io) =>
  (socket: ConsoleSocket, next: Next): void => {
    const open = io.of('/').adapter.rooms.get(rooms.user(socket.data.session.userId))?.size ?? 0
    next(open < connectionsPerUser ? undefined : new Error('request.tooMany'))
  }

function tokenOf({ handshake }: ConsoleSocket): string | null {
  const { Authorization: query } = handshake.query
  const auth: unknown = handshake.auth['token']
  const given = typeof query === 'string' && query ? query : typeof auth === 'string' ? auth : undefined
  return tokenOfHeader(given)
}
