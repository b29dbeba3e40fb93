import { heartbeatMs, type ClientEvents, type ServerEvents } from '@console/contract'
import { io, type Socket } from 'socket.io-client'
import { socketAddress } from './environments.ts'
import { addLog } from './log.ts'

type ConsoleSocket = Socket<ServerEvents, ClientEvents>
type EndReason = Parameters<ServerEvents['session.ended']>[0]

let socket: ConsoleSocket | null = null
let socketToken = ''

/** One socket per session, of the shell and not of a page. Its states are only logged. */
export function connectSocket(token: string, onSessionEnded: (reason: EndReason) => void): void {
  if (socket && socketToken === token) return
  disconnectSocket()
  socketToken = token
  const made: ConsoleSocket = io(socketAddress() || location.origin, {
    transports: ['websocket', 'polling'],
    tryAllTransports: true,
    autoConnect: true,
    timeout: heartbeatMs,
    query: { Authorization: token },
  })
  socket = made
  made.on('connect', () => addLog('SOCKET_connect'))
  made.on('connect_error', (error) => addLog(`SOCKET_connect_error ${error.message}`))
  made.on('disconnect', (reason) => addLog(`SOCKET_disconnect ${reason}`))
  made.io.on('reconnect', (attempt) => addLog(`SOCKET_reconnect ${attempt}`))
  made.on('session.ended', onSessionEnded)
}

export function disconnectSocket(): void {
  socket?.removeAllListeners()
  socket?.disconnect()
  socket = null
  socketToken = ''
}
