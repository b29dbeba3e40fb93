import { CallError, readEnvelope } from './call-error.ts'
import type { AnyEndpoint, CallInput, DataOf } from './endpoint.ts'
import { defaultTransport, type Progress, type Transport, type WireAnswer } from './transport.ts'

export { CallError, type CallFailureKind } from './call-error.ts'
export type { Progress, Transport } from './transport.ts'

export const callTimeoutMs = 120_000
export const formTimeoutMs = 999_999
const retryDelaysMs = [150, 600]

export type ClientOptions = {
  /** Of the chosen environment; empty for the server that the console came from. */
  baseUrl: () => string
  token: () => string | null
  locale: () => string
  transport?: Transport
  /** Toasts, redirects and logs are the caller's, not the transport's. */
  onFailure?: (error: CallError) => void
}

export type CallOptions = {
  signal?: AbortSignal
  timeout?: number
  onUploadProgress?: (progress: Progress) => void
  onDownloadProgress?: (progress: Progress) => void
  /** The caller shows the failure itself, where it happened. */
  handlesFailure?: boolean
}

type LooseInput = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  fields?: Record<string, unknown>
  files?: Record<string, Blob>
  bytes?: Blob | Uint8Array<ArrayBuffer>
}

export type Client = {
  call: <E extends AnyEndpoint>(
    endpoint: E,
    ...args: Record<never, never> extends CallInput<E>
      ? [input?: CallInput<E>, options?: CallOptions]
      : [input: CallInput<E>, options?: CallOptions]
  ) => Promise<DataOf<E>>
  postForm: (url: string, fields: Record<string, string>) => Promise<boolean>
}

export function createClient(options: ClientOptions): Client {
  const transport = options.transport ?? defaultTransport
  return {
    async call(endpoint, ...[input, callOptions = {}]) {
      try {
        return (await send(transport, options, endpoint, input ?? {}, callOptions)) as never
      } catch (error) {
        if (error instanceof CallError && !callOptions.handlesFailure) options.onFailure?.(error)
        throw error
      }
    },
    postForm: (url, fields) => postForm(transport, options, url, fields),
  }
}

async function send(
  transport: Transport,
  options: ClientOptions,
  endpoint: AnyEndpoint,
  input: LooseInput,
  call: CallOptions,
) {
  const { method } = endpoint
  const timeout = AbortSignal.timeout(call.timeout ?? endpoint.timeout ?? callTimeoutMs)
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
  const body = bodyOf(endpoint, input)
  const request = {
    method,
    url: options.baseUrl() + addressOf(endpoint.path, input),
    headers: headersOf(options, endpoint, body),
    body,
    signal,
    onUploadProgress: call.onUploadProgress,
    onDownloadProgress: call.onDownloadProgress,
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await transport(request)
      if (mayRetry(method, attempt) && (answer.status === 502 || answer.status === 503)) {
        await pause(attempt, signal)
        continue
      }
      return await readAnswer(endpoint, answer)
    } catch (error) {
      if (error instanceof CallError) throw error
      const gaveUp = signal.aborted
      if (gaveUp || !mayRetry(method, attempt)) {
        const kind = call.signal?.aborted ? 'cancelled' : timeout.aborted ? 'timeout' : 'network'
        throw new CallError({ kind, method, path: endpoint.path }, error)
      }
      await pause(attempt, signal)
    }
  }
}

/** These can be sent twice without harm, so a server that was just replaced goes unnoticed. */
function mayRetry(method: string, attempt: number): boolean {
  return attempt < retryDelaysMs.length && (method === 'GET' || method === 'PUT' || method === 'DELETE')
}

function pause(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, retryDelaysMs[attempt])
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

export function addressOf(path: string, input: LooseInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(input.params?.[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  const query = search.toString()
  return query ? `${filled}?${query}` : filled
}

function headersOf(options: ClientOptions, endpoint: AnyEndpoint, body: BodyInit | undefined): Record<string, string> {
  const token = options.token()
  const type =
    endpoint.bodyKind === 'json'
      ? 'application/json'
      : endpoint.bodyKind === 'bytes'
        ? 'application/octet-stream'
        : null
  return {
    'Accept-Language': options.locale(),
    ...(token ? { Authorization: token } : {}),
    ...(type && body !== undefined ? { 'Content-Type': type } : {}),
  }
}

function bodyOf(endpoint: AnyEndpoint, input: LooseInput): BodyInit | undefined {
  if (endpoint.bodyKind === 'json') return JSON.stringify(input.body)
  if (endpoint.bodyKind === 'bytes') return input.bytes
  if (endpoint.bodyKind === 'none') return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(input.fields ?? {})) form.append(name, String(value))
  for (const [name, file] of Object.entries(input.files ?? {})) form.append(name, file)
  return form
}

async function readAnswer(endpoint: AnyEndpoint, answer: WireAnswer): Promise<unknown> {
  const { method, path } = endpoint
  const isJson = (answer.header('content-type') ?? '').includes('application/json')
  const ok = answer.status >= 200 && answer.status < 300
  if (ok && 'kind' in endpoint.data && !isJson) return answer.body
  const parsed: unknown = isJson ? parseJson(await answer.body.text()) : null
  const envelope = readEnvelope(parsed)
  if (envelope) {
    const { data, ...failure } = envelope
    if (failure.code === 0) return data
    throw new CallError({ kind: 'envelope', method, path, status: answer.status, ...failure })
  }
  if (!ok) {
    throw new CallError({
      kind: 'http',
      method,
      path,
      status: answer.status,
      code: answer.status,
      requestId: answer.header('x-request-id') ?? '',
    })
  }
  return parsed
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The form-encoded helper of the specification: 403 is failure, anything else that answers is success. */
async function postForm(
  transport: Transport,
  options: ClientOptions,
  url: string,
  fields: Record<string, string>,
): Promise<boolean> {
  const token = options.token()
  const answer = await transport({
    method: 'POST',
    url,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...(token ? { Authorization: token } : {}) },
    body: new URLSearchParams(fields).toString(),
    signal: AbortSignal.timeout(formTimeoutMs),
    onUploadProgress: undefined,
    onDownloadProgress: undefined,
  })
  return answer.status !== 403
}
