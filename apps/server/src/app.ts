import compress from '@fastify/compress'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance, type FastifyRequest } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { Config } from './config.ts'
import { newId } from './db/ids.ts'
import { AppError } from './http/app-error.ts'
import type { Route } from './http/context.ts'
import { sendFailure } from './http/failure.ts'
import { registerGrace } from './http/grace.ts'
import { registerJsonBody } from './http/json-body.ts'
import { register } from './http/route.ts'
import { validatorCompiler } from './http/zod-problems.ts'
import type { Log } from './log.ts'
import type { Services } from './services.ts'
import { registerConsole } from './http/console.ts'
import { callTargets, mayCallFrom } from './http/origins.ts'
import { registerOpenApi } from './http/openapi.ts'
import { registerOperation } from './http/operation.ts'

const requestIdPattern = /^[A-Za-z0-9_-]{8,64}$/
const addressLimit = 8 * 1024
const fileLimit = 10 * 1024 * 1024

/** The bare server: how it listens, what it refuses, how it answers. Routes come with the services. */
export async function createApp(config: Config, log: Log): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.TRUST_PROXY ? ['loopback', 'linklocal', 'uniquelocal'] : false,
    requestIdHeader: false,
    genReqId: (raw) => requestIdOf(config, raw.headers['x-request-id']),
    exposeHeadRoutes: false,
    // A slow sender does not keep a connection: the headers and the whole request must come in time.
    connectionTimeout: 0,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => void sendFailure(request, reply, error),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('session', null)
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error))
  app.setNotFoundHandler((request, reply) =>
    sendFailure(request, reply, new AppError('request.addressNotFound', { params: { address: pathOf(request) } })),
  )
  registerGrace(app)
  registerRequestLog(app)
  registerJsonBody(app)
  registerBytes(app)
  await app.register(helmet, securityHeaders(config))
  await app.register(cors, {
    origin: (origin, answer) => answer(null, origin !== undefined && mayCallFrom(config, origin)),
    // The token is in a header of its own: no cookie of anybody is ever taken.
    credentials: false,
    allowedHeaders: ['authorization', 'content-type', 'accept-language', 'range', 'if-none-match'],
    exposedHeaders: ['x-request-id', 'retry-after', 'content-range', 'content-disposition'],
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 600,
  })
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { 1: 4 } } })
  await app.register(formbody, { bodyLimit: 64 * 1024 })
  await app.register(multipart, {
    limits: { fieldNameSize: 100, fieldSize: 64 * 1024, fields: 50, fileSize: fileLimit, files: 10, parts: 60 },
  })
  return app
}

export async function registerRoutes(
  app: FastifyInstance,
  services: Services,
  routes: readonly Route[],
): Promise<void> {
  await registerOpenApi(app)
  await app.register(async (scope) => {
    for (const route of routes) register(scope, services, route)
  })
  await registerOperation(app, services)
  await registerConsole(app)
}

function requestIdOf(config: Config, given: string | string[] | undefined): string {
  return config.TRUST_PROXY && typeof given === 'string' && requestIdPattern.test(given) ? given : newId()
}

/** The address without its query, short enough to be said back. */
function pathOf(request: FastifyRequest): string {
  return (request.url.split('?')[0] ?? '').slice(0, 200)
}

/** One line a request, with the id that the console shows beside an error. */
function registerRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    if (request.url.length > addressLimit) throw new AppError('request.tooLarge', { params: { limit: '8 KB' } })
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        path: pathOf(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        ...(request.session ? { userId: request.session.userId } : {}),
      },
      'request',
    )
  })
}

/** Bytes go to the handler as they come; the limit is what was announced, and again what arrives. */
function registerBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    const announced = Number(request.headers['content-length'] ?? 0)
    if (announced > request.routeOptions.bodyLimit) {
      done(
        new AppError('request.tooLarge', { params: { limit: `${request.routeOptions.bodyLimit / 1024 / 1024} MB` } }),
      )
    } else done(null, payload)
  })
}

function securityHeaders(config: Config): Parameters<typeof helmet>[1] {
  const partner = config.WFL_HOST ? [new URL(config.WFL_HOST).origin] : []
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // The component library writes its styles at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...partner, ...callTargets(config)],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        // The iframe host mode of the specification: a partner's portal may show the console.
        frameAncestors: config.FRAME_ANCESTORS.split(/\s+/).filter(Boolean),
      },
    },
    // On a school's own network there is plain http: these would only warn or break there. A proxy with https adds HSTS.
    hsts: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xFrameOptions: false,
    referrerPolicy: { policy: 'same-origin' },
  }
}
