import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const graceMs = 8000

/**
 * What has begun is answered when the server stops; then its connection goes too, which would wait for further calls
 * over a minute. Who is still sending when the grace is over is not waited for.
 */
export function registerGrace(app: FastifyInstance): void {
  const { server } = app
  // Browsers open connections ahead of need. Node does not count one that never asked anything among the idle.
  const silent = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', (request) => silent.delete(request.socket))
  server.on('upgrade', (request) => silent.delete(request.socket))
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy()
    const idle = setInterval(() => server.closeIdleConnections(), 100)
    const late = setTimeout(() => server.closeAllConnections(), graceMs)
    server.once('close', () => {
      clearInterval(idle)
      clearTimeout(late)
    })
  })
}
