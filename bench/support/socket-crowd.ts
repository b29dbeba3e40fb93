import type { ClientEvents, ServerEvents } from '@console/contract'
import { io, type Socket } from 'socket.io-client'

type Order = { url: string; tokens: string[] }
export type CrowdSays = { connectedMs: number } | { heard: number }

let heard = 0

/** Many browsers in a process of their own: all connect at once and each watches the school. */
async function gather({ url, tokens }: Order): Promise<number> {
  const began = performance.now()
  await Promise.all(
    tokens.map(async (token) => {
      const socket: Socket<ServerEvents, ClientEvents> = io(url, {
        transports: ['websocket'],
        forceNew: true,
        query: { Authorization: token },
      })
      await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject))
      const { ok } = await socket.emitWithAck('topic.watch', 'school')
      if (!ok) throw new Error('the school may not be watched')
      socket.on('topic.changed', () => (heard += 1))
    }),
  )
  return performance.now() - began
}

async function answer(question: Order | 'count'): Promise<void> {
  const said: CrowdSays = question === 'count' ? { heard } : { connectedMs: await gather(question) }
  process.send?.(said)
}

process.on('message', (question: Order | 'count') => void answer(question))
