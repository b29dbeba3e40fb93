import { createAdapter } from '@socket.io/redis-adapter'
import { createClient } from 'redis'
import type { Log } from '../log.ts'
import type { Io } from './io.ts'

const longestWaitMs = 5000

type Client = ReturnType<typeof connect>

/** Joins the processes. Without Redis each still serves its own sockets; what was said meanwhile is not said again. */
export function joinByRedis(io: Io, url: string, log: Log): { close: () => Promise<void> } {
  let closing = false
  const report = (error: unknown): void => {
    if (!closing) log.warn({ err: error }, 'Redis')
  }
  // Old news is worth nothing: while Redis is away, what would be told is dropped and not kept in memory.
  const publisher = connect(url, report, true)
  const subscriber = connect(url, report, false)
  // The adapter awaits none of these; a refusal that nobody hears would end the process.
  Object.assign(publisher, { publish: heard(publisher.publish.bind(publisher), report) })
  Object.assign(subscriber, {
    subscribe: heard(subscriber.subscribe.bind(subscriber), report),
    pSubscribe: heard(subscriber.pSubscribe.bind(subscriber), report),
    unsubscribe: heard(subscriber.unsubscribe.bind(subscriber), report),
    pUnsubscribe: heard(subscriber.pUnsubscribe.bind(subscriber), report),
  })
  io.adapter(createAdapter(publisher, subscriber))
  for (const client of [publisher, subscriber]) client.connect().catch(report)
  return {
    async close() {
      closing = true
      await Promise.all([publisher, subscriber].map(end))
    },
  }
}

function connect(url: string, report: (error: unknown) => void, disableOfflineQueue: boolean) {
  const client = createClient({
    url,
    disableOfflineQueue,
    pingInterval: 10_000,
    socket: {
      connectTimeout: 5000,
      reconnectStrategy: (retries: number) => Math.min(longestWaitMs, 100 * 2 ** Math.min(retries, 6)),
    },
  })
  client.on('error', report)
  return client
}

// oxlint-disable-next-line typescript/no-explicit-any -- the type of a function whose signature only passes through
function heard<F extends (...given: any[]) => Promise<any>>(call: F, report: (error: unknown) => void): F {
  return (async (...given: Parameters<F>) => call(...given).catch(report)) as F
}

/** What was said last still goes out, but a Redis that no longer answers holds up no stop. */
async function end(client: Client): Promise<void> {
  if (client.isReady) {
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, 1000)
    await Promise.race([client.close().catch(() => undefined), late.promise])
    clearTimeout(timer)
  }
  if (client.isOpen) client.destroy()
}
