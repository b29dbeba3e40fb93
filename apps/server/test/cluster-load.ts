import { userOne, userUpdate, type Client, type ClientEvents, type ServerEvents } from '@console/contract'
import { io, type Socket } from 'socket.io-client'
import { vi } from 'vitest'

export type ConsoleClient = Socket<ServerEvents, ClientEvents>
export type Watcher = { socket: ConsoleClient; heard: number[]; reasons: string[]; connections: () => number }

export const until = <T>(check: () => T | Promise<T>, timeout = 30_000) => vi.waitFor(check, { timeout, interval: 25 })

/** A browser that watches the school, and watches it again whenever it had to reconnect. */
export async function watchSchool(
  url: string,
  token: string,
  transports: ('polling' | 'websocket')[],
): Promise<Watcher> {
  const socket: ConsoleClient = io(url, {
    transports,
    forceNew: true,
    query: { Authorization: token },
    reconnectionDelay: 50,
    reconnectionDelayMax: 500,
  })
  const watcher = { socket, heard: [] as number[], reasons: [] as string[] }
  let connections = 0
  socket.on('topic.changed', ({ at }) => watcher.heard.push(at))
  socket.on('session.ended', (reason) => watcher.reasons.push(reason))
  const ready = Promise.withResolvers<void>()
  socket.on('connect', async () => {
    const { ok } = await socket.emitWithAck('topic.watch', 'school')
    connections += 1
    if (ok) ready.resolve()
    else ready.reject(new Error('the school may not be watched'))
  })
  await ready.promise
  return { ...watcher, connections: () => connections }
}

export type Load = { done: () => number; end: () => Promise<{ failures: unknown[]; lost: string[] }> }

/** Each of these accounts is read and renamed without a pause; what was answered must be what is stored. */
export function startLoad(client: Client, userIds: readonly string[]): Load {
  const failures: unknown[] = []
  const lost: string[] = []
  let done = 0
  let over = false
  const work = async (id: string) => {
    for (let n = 1; !over; n += 1) {
      try {
        const name = `n${n}`
        await client.call(userUpdate, { body: { id, name } })
        const read = await client.call(userOne, { params: { id } })
        if (read.name !== name) lost.push(`${id}: ${name} became ${read.name}`)
        done += 2
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const workers = userIds.map(work)
  return {
    done: () => done,
    async end() {
      over = true
      await Promise.all(workers)
      return { failures, lost }
    },
  }
}
