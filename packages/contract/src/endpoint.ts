import type { z } from 'zod'
import type { Access } from './access.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Address = `${Method} /${string}`

type ParamNames<A extends string> = A extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

/** The schema of path parameters must name just those of the address. */
type ParamsFor<A extends string> = [ParamNames<A>] extends [never]
  ? undefined
  : z.ZodObject<{ [K in ParamNames<A>]: z.ZodType<string, string> }>

/** What goes up: JSON, a form with files, the bytes themselves, or nothing. */
export type BodyKind = 'json' | 'multipart' | 'bytes' | 'none'

/** Marks an answer that is a file and not an envelope. */
export const binary = { kind: 'binary' } as const
export type Binary = typeof binary

type Parts<A extends Address> = {
  access: Access
  /** One English sentence for the OpenAPI document. */
  summary: string
  query?: z.ZodObject
  body?: z.ZodType
  /** The text fields of a multipart form; files come beside them. */
  multipart?: z.ZodObject
  /** The body is the content itself (application/octet-stream), at most this many bytes. */
  bytes?: { limit: number }
  data: z.ZodType | Binary
  /** A client waits this long at most when not the usual 120 s. */
  timeout?: number
} & (ParamsFor<A> extends undefined ? { params?: undefined } : { params: ParamsFor<A> })

export type Endpoint<A extends Address = Address, P extends Parts<A> = Parts<A>> = P & {
  method: Method
  path: string
  bodyKind: BodyKind
}

/** The widest endpoint, whatever its schemas. */
export type AnyEndpoint = {
  method: Method
  path: string
  bodyKind: BodyKind
  access: Access
  summary: string
  params?: z.ZodObject | undefined
  query?: z.ZodObject
  body?: z.ZodType
  multipart?: z.ZodObject
  bytes?: { limit: number }
  data: z.ZodType | Binary
  timeout?: number
}

/** One object per endpoint: it types the server's handler and the client's call, and becomes the OpenAPI document. */
export function endpoint<const A extends Address, const P extends Parts<A>>(address: A, parts: P): Endpoint<A, P> {
  const space = address.indexOf(' ')
  const bodyKind: BodyKind = parts.body ? 'json' : parts.multipart ? 'multipart' : parts.bytes ? 'bytes' : 'none'
  return { ...parts, method: address.slice(0, space) as Method, path: address.slice(space + 1), bodyKind }
}

type Output<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback
type Input<S, Fallback> = S extends z.ZodType ? z.input<S> : Fallback
type Part<E, K extends string> = E extends { [_ in K]?: infer S } ? S : undefined

export type ParamsOf<E> = Output<Part<E, 'params'>, Record<never, string>>
export type QueryOf<E> = Output<Part<E, 'query'>, Record<never, never>>
export type BodyOf<E> = Output<Part<E, 'body'>, undefined>
export type FieldsOf<E> = Output<Part<E, 'multipart'>, undefined>
/** What the handler returns and what the client gets: the same on both sides, since responses never transform. */
export type DataOf<E> = E extends { data: infer S }
  ? S extends Binary
    ? Blob
    : S extends z.ZodType
      ? z.output<S>
      : never
  : never
export type HandlerDataOf<E> = E extends { data: infer S } ? (S extends z.ZodType ? z.input<S> : never) : never

type Wanted<K extends string, S> = S extends z.ZodType
  ? Record<never, never> extends z.input<S>
    ? { [_ in K]?: z.input<S> }
    : { [_ in K]: z.input<S> }
  : { [_ in K]?: undefined }

/** What a caller gives; a part that has nothing required may be left out. */
export type CallInput<E> = Wanted<'params', Part<E, 'params'>> &
  Wanted<'query', Part<E, 'query'>> &
  Wanted<'body', Part<E, 'body'>> &
  (Part<E, 'multipart'> extends z.ZodType
    ? { fields: Input<Part<E, 'multipart'>, never>; files?: Record<string, Blob> }
    : { fields?: undefined; files?: undefined }) &
  (Part<E, 'bytes'> extends { limit: number } ? { bytes: Blob | Uint8Array<ArrayBuffer> } : { bytes?: undefined })
