import type { Readable } from 'node:stream'
import { failureEnvelope, successEnvelope, type AnyEndpoint } from '@console/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { change } from '../db/change.ts'
import type { Services } from '../services.ts'
import { AppError } from './app-error.ts'
import type { FileAnswer, Route, UploadedFile } from './context.ts'
import { localeOf } from './failure.ts'
import { readForm } from './multipart.ts'
import { demandAccess, findSession, type Session } from './session.ts'
import { tokenOfHeader } from './token.ts'
import { refusalsOf } from './zod-problems.ts'

const jsonLimit = 1024 * 1024
const formLimit = 20 * 1024 * 1024

/** The envelope is wrapped here and not in preSerialization, which Fastify skips for null. */
export function register(app: FastifyInstance, services: Services, { endpoint, handler }: Route): void {
  const isFile = 'kind' in endpoint.data
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    bodyLimit: endpoint.bytes?.limit ?? (endpoint.multipart ? formLimit : jsonLimit),
    schema: schemaOf(endpoint),
    // Who may is asked before what came in is read: a stranger learns nothing from a validation message.
    onRequest: async (request) => {
      request.session = endpoint.access === 'public' ? null : await demandSession(services, endpoint, request)
    },
    handler: async (request, reply) => {
      const context = await contextOf(services, endpoint, request, reply)
      const answer = await handler(context as never)
      return isFile ? sendFile(reply, answer as FileAnswer) : { code: 0, data: answer, msg: '' }
    },
  })
}

async function demandSession(services: Services, endpoint: AnyEndpoint, request: FastifyRequest): Promise<Session> {
  const token = tokenOfHeader(request.headers.authorization)
  const session = token ? await findSession(services.store, token, Date.now()) : null
  if (!session) throw new AppError('access.signInNeeded')
  if (endpoint.access !== 'public') await demandAccess(services.store, session, endpoint.access)
  return session
}

function schemaOf(endpoint: AnyEndpoint): Record<string, unknown> {
  const data = endpoint.data
  return {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[2] ?? ''],
    operationId: operationId(endpoint),
    security: endpoint.access === 'public' ? [] : [{ token: [] }],
    'x-access': endpoint.access,
    ...(endpoint.params ? { params: strict(endpoint.params) } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    ...(endpoint.multipart ? { consumes: ['multipart/form-data'], 'x-form': endpoint.multipart } : {}),
    ...(endpoint.bytes ? { consumes: ['application/octet-stream'], 'x-bytes': true } : {}),
    response: {
      ...('kind' in data
        ? { 200: { description: 'The file', content: { 'application/octet-stream': { schema: z.any() } } } }
        : { 200: successEnvelope(data) }),
      default: failureEnvelope,
    },
  }
}

const strict = (schema: z.ZodObject) => schema.strict()

function operationId({ method, path }: AnyEndpoint): string {
  const words = path
    .replace(/^\/api\//, '')
    .replace(/[{}]/g, '')
    .split('/')
  return [method.toLowerCase(), ...words]
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

async function contextOf(
  services: Services,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Record<string, unknown>> {
  const form = endpoint.multipart ? await formOf(endpoint.multipart, request) : { fields: undefined, files: [] }
  const { session } = request
  const gone = new AbortController()
  // The response closes in any case; unfinished means that the caller left before it was written.
  reply.raw.once('close', () => reply.raw.writableFinished || gone.abort())
  const common = {
    services,
    requestId: request.id,
    address: request.ip,
    device: (request.headers['user-agent'] ?? '').slice(0, 200),
    locale: localeOf(request),
    headers: request.headers,
    now: Date.now(),
    signal: gone.signal,
    session,
    params: request.params,
    query: request.query,
    body: endpoint.body ? request.body : undefined,
    bytes: endpoint.bytes ? (request.body as Readable) : undefined,
    ...form,
  }
  if (!session) return common
  const actor = { userId: session.userId, requestId: request.id, address: request.ip }
  return {
    ...common,
    read: services.store.school(session.schoolId),
    change: (entry: never, work: never) => change(services.store, session.schoolId, actor, entry, work),
  }
}

async function formOf(
  schema: z.ZodObject,
  request: FastifyRequest,
): Promise<{ fields: unknown; files: UploadedFile[] }> {
  const form = await readForm(request)
  const parsed = schema.safeParse(form.fields)
  if (!parsed.success) throw new AppError('request.invalid', { fields: refusalsOf(parsed.error.issues) })
  return { fields: parsed.data, files: form.files }
}

async function sendFile(reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> {
  return reply
    .code(file.status ?? 200)
    .headers(file.headers ?? {})
    .header('content-length', file.length)
    .type(file.type)
    .serializer((body: unknown) => body as string)
    .send(file.body)
}
