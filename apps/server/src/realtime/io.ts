import type { ClientEvents, ServerEvents } from '@console/contract'
import type { Server, Socket } from 'socket.io'
import type { Session } from '../http/session.ts'

export type SocketData = { session: Session; topics: Set<string> }
export type Io = Server<ClientEvents, ServerEvents, Record<never, never>, SocketData>
export type ConsoleSocket = Socket<ClientEvents, ServerEvents, Record<never, never>, SocketData>
