import { errorKind, type FailureEnvelope } from '@console/contract'
import { defaultLocale, isLocale, say, sayWait, type ErrorCode, type Locale } from '@console/phrases'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { isBusy } from '../db/busy.ts'
import { AppError } from './app-error.ts'

/** The first language of the request that we speak, else Chinese. */
export function localeOf(request: FastifyRequest): Locale {
  const wanted = request.headers['accept-language'] ?? ''
  for (const part of wanted.slice(0, 200).split(',')) {
    const tag = part.split(';')[0]?.trim() ?? ''
    if (isLocale(tag)) return tag
    if (/^en\b/i.test(tag)) return 'en-US'
    if (/^zh\b/i.test(tag)) return 'zh-CN'
  }
  return defaultLocale
}

/** Says a failure to the reader and keeps what is internal in the log. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = appErrorOf(thrown, request)
  const { status, code } = errorKind(error.error)
  // What is still coming is let run out, or the sender would wait with the rest and never read the refusal.
  if (!request.raw.complete) request.raw.unpipe().resume()
  if (status >= 500) request.log.error({ err: thrown }, 'request failed')
  const locale = localeOf(request)
  const params = {
    ...error.params,
    requestId: request.id,
    ...(error.wait === null ? {} : { wait: sayWait(locale, error.wait) }),
  }
  const envelope: FailureEnvelope = {
    code,
    data: null,
    msg: say(locale, `error.${error.error}`, params),
    error: error.error,
    requestId: request.id,
    ...(error.fields.length === 0
      ? {}
      : {
          fields: error.fields.map((field) => ({
            path: field.path,
            error: field.error,
            msg: say(locale, `error.${field.error}`, field.params),
          })),
        }),
    ...(error.wait === null ? {} : { wait: Math.ceil(error.wait) }),
  }
  if (error.wait !== null) void reply.header('retry-after', Math.ceil(error.wait / 1000))
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(envelope)
}

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.tooLarge',
  FST_REQ_FILE_TOO_LARGE: 'request.tooLarge',
  FST_FILES_LIMIT: 'request.tooLarge',
  FST_FIELDS_LIMIT: 'request.tooLarge',
  FST_PARTS_LIMIT: 'request.tooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupportedType',
  FST_ERR_CTP_INVALID_TYPE: 'request.unsupportedType',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'request.unsupportedType',
  FST_ERR_BAD_URL: 'request.malformed',
}

function appErrorOf(thrown: unknown, request: FastifyRequest): AppError {
  if (thrown instanceof AppError) return thrown
  if (isBusy(thrown)) return new AppError('server.busy', { cause: thrown })
  if (thrown instanceof ResponseSerializationError) return new AppError('server.internal', { cause: thrown })
  const { code, statusCode } = (thrown ?? {}) as Partial<FastifyError>
  const known = code ? fastifyCodes[code] : undefined
  if (known === 'request.tooLarge') return new AppError(known, { params: { limit: sizeOf(request) }, cause: thrown })
  if (known) return new AppError(known, { cause: thrown })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new AppError('request.malformed', { cause: thrown })
  return new AppError('server.internal', { cause: thrown })
}

function sizeOf(request: FastifyRequest): string {
  return `${Math.round(request.routeOptions.bodyLimit / 1024)} KB`
}
