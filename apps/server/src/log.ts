import { pino, type Logger } from 'pino'
import type { Config } from './config.ts'

export type Log = Logger

/** Tokens, passwords and codes never reach the log, wherever they stand in what is logged. */
const hidden = [
  'authorization',
  'cookie',
  'token',
  'password',
  'oldPassword',
  'newPassword',
  'idToken',
  'ticket',
  'signature',
]

export function createLog(config: Pick<Config, 'LOG_LEVEL'>, destination?: pino.DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level: config.LOG_LEVEL,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: hidden.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' },
    serializers: { req: requestLine },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The address without its query: search texts and tokens handed over do not belong in a log. */
function requestLine(request: { method?: string; url?: string; ip?: string }): Record<string, unknown> {
  return { method: request.method, path: request.url?.split('?')[0], address: request.ip }
}
