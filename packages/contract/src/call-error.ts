import type { FieldProblem } from './envelope.ts'

/**
 * envelope: the server answered with a code that is not 0. http: an answer without an envelope.
 * network: no answer. timeout: none in time. cancelled: the caller gave up.
 */
export type CallFailureKind = 'envelope' | 'http' | 'network' | 'timeout' | 'cancelled'

type Details = {
  kind: CallFailureKind
  method: string
  path: string
  status: number
  code: number
  msg: string
  /** The error code of the server, a phrase key; empty when another server answered. */
  error: string
  requestId: string
  fields: readonly FieldProblem[]
  wait: number | null
}

export class CallError extends Error {
  readonly details: Details
  constructor(details: Partial<Details> & Pick<Details, 'kind' | 'method' | 'path'>, cause?: unknown) {
    super(
      `${details.method} ${details.path}: ${details.kind} ${details.code ?? details.status ?? ''} ${details.msg ?? ''}`.trim(),
      { cause },
    )
    this.name = 'CallError'
    this.details = { status: 0, code: 0, msg: '', error: '', requestId: '', fields: [], wait: null, ...details }
  }
}

type Envelope = Pick<Details, 'code' | 'msg' | 'error' | 'requestId' | 'fields' | 'wait'> & { data: unknown }

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Any envelope: our own server says more in it than a partner's may. By hand, since the console carries no schemas. */
export function readEnvelope(value: unknown): Envelope | null {
  if (typeof value !== 'object' || value === null || !('code' in value) || typeof value.code !== 'number') return null
  const { code, data, msg, error, requestId, fields, wait } = value as { code: number } & Record<string, unknown>
  return {
    code,
    data,
    msg: textOf(msg),
    error: textOf(error),
    requestId: textOf(requestId),
    fields: Array.isArray(fields) ? fields : [],
    wait: typeof wait === 'number' ? wait : null,
  }
}
