import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { AnyEndpoint, BodyOf, FieldsOf, HandlerDataOf, ParamsOf, QueryOf } from '@console/contract'
import type { Locale } from '@console/phrases'
import type { AuditEntry } from '../db/audit.ts'
import type { After } from '../db/change.ts'
import type { Db, ReadDb } from '../db/store.ts'
import type { Services } from '../services.ts'
import type { Session } from './session.ts'

export type UploadedFile = { field: string; name: string; bytes: Buffer }

/** An answer that is a file; headers are those beyond type and length. */
export type FileAnswer = {
  status?: 200 | 206 | 304 | 416
  type: string
  length: number
  headers?: Record<string, string>
  body: Readable | Buffer
}

type Common = {
  services: Services
  requestId: string
  /** Of the caller, as far as a trusted proxy tells. */
  address: string
  device: string
  locale: Locale
  headers: IncomingHttpHeaders
  now: number
  /** Fires when the caller is gone. */
  signal: AbortSignal
}

type Signed = {
  session: Session
  /** The own school, for reading only. */
  read: ReadDb
  /** The own school, for changing: in one transaction with its audit entry. */
  change: <T>(entry: AuditEntry | ((result: T) => AuditEntry), work: (db: Db, after: After) => Promise<T>) => Promise<T>
}

type Unsigned = { session: null }

export type Context<E> = Common &
  (E extends { access: 'public' } ? Unsigned : Signed) & {
    params: ParamsOf<E>
    query: QueryOf<E>
    body: BodyOf<E>
    fields: FieldsOf<E>
    files: UploadedFile[]
    bytes: Readable
  }

export type SignedContext = Common & Signed

export type HandlerAnswer<E> = E extends { data: { kind: 'binary' } } ? FileAnswer : HandlerDataOf<E>
export type Handler<E> = (context: Context<E>) => Promise<HandlerAnswer<E>>

/** An endpoint and what answers it. */
export type Route = { endpoint: AnyEndpoint; handler: (context: never) => Promise<unknown> }

export function handle<E extends AnyEndpoint>(endpoint: E, handler: Handler<E>): Route {
  return { endpoint, handler }
}
