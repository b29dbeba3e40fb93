import type { Server as HttpServer } from 'node:http'
import { heartbeatMs } from '@console/contract'
import { Server } from 'socket.io'
import type { Config } from '../config.ts'
import type { Store } from '../db/store.ts'
import { mayCallFrom } from '../http/origins.ts'
import type { Log } from '../log.ts'
import type { Io } from './io.ts'
import type { Realtime } from './realtime.ts'
import { joinByRedis } from './redis.ts'
import { rooms } from './rooms.ts'
import { demandSignIn, limitConnections, originChecker } from './sign-in.ts'
import { cutEndedSessions } from './session-check.ts'
import { answerTopics, type Topics } from './topics.ts'

export type RealtimeOptions = {
  server: HttpServer
  store: Store
  config: Pick<Config, 'REDIS_URL' | 'PUBLIC_URL' | 'TRUST_PROXY' | 'ENV_TYPE' | 'CROSS_ORIGINS'>
  log: Log
  /** Who may watch which topic beside that of the own school. */
  topics?: Topics
  /** How often the sessions behind open sockets are looked up. */
  checkEveryMs?: number
}

const largestMessage = 10_000

export function createRealtime(options: RealtimeOptions): Realtime {
  const { server, store, config, log, topics, checkEveryMs = 60_000 } = options
  const isFromHere = originChecker(config)
  let ending = false
  const io: Io = new Server(server, {
    path: '/socket.io',
    transports: ['websocket', 'polling'],
    pingInterval: heartbeatMs,
    pingTimeout: heartbeatMs,
    connectTimeout: heartbeatMs,
    maxHttpBufferSize: largestMessage,
    serveClient: false,
    cors: { origin: (origin, answer) => answer(null, origin !== undefined && mayCallFrom(config, origin)) },
    allowRequest: (request, answer) => (ending ? answer('ending', false) : isFromHere(request, answer)),
  })
  const redis = config.REDIS_URL ? joinByRedis(io, config.REDIS_URL, log) : null
  io.use(demandSignIn(store, log))
  io.use(limitConnections(io))
  io.on('connection', (socket) => {
    const { session } = socket.data
    void socket.join([rooms.user(session.userId), rooms.session(session.sessionId)])
    answerTopics(socket, topics, log)
  })
  let checking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    checking = checking.then(() => cutEndedSessions(io, store, log))
  }, checkEveryMs)

  return {
    toUser: (userId, event, ...payload) => void io.to(rooms.user(userId)).emit(event, ...payload),
    toTopic: (schoolId, topic) =>
      void io.to(rooms.topic(schoolId, topic)).emit('topic.changed', { topic, at: Date.now() }),
    endSessions(sessionIds, reason) {
      if (sessionIds.length === 0) return
      const ended = sessionIds.map(rooms.session)
      io.to(ended).emit('session.ended', reason)
      io.in(ended).disconnectSockets(true)
      // With Redis the line above waits for a round trip, and for ever when Redis is away.
      io.local.in(ended).disconnectSockets(true)
    },
    disconnect() {
      ending = true
      // Not io.close(): that ends the HTTP server, which is not ours, and tells browsers to stay away. These come again.
      io.engine.close()
    },
    async close() {
      this.disconnect()
      clearInterval(timer)
      await checking
      await io.of('/').adapter.close()
      await redis?.close()
    },
  }
}
