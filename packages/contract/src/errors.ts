import type { ErrorCode } from '@console/phrases'
import { partnerSessionOver } from './envelope.ts'

type Kind = { status: number; code?: number }

/** The HTTP status of an error code, by its group; the envelope's code is the same number unless said otherwise. */
const groups: Record<string, Kind> = {
  'request.malformed': { status: 400 },
  'request.invalid': { status: 400 },
  'request.tooLarge': { status: 413 },
  'request.tooDeep': { status: 400 },
  'request.unsupportedType': { status: 415 },
  'request.addressNotFound': { status: 404 },
  'request.methodNotAllowed': { status: 405 },
  'request.timeout': { status: 408 },
  'request.tooMany': { status: 429 },
  'server.internal': { status: 500 },
  'server.busy': { status: 503 },
  'server.stopping': { status: 503 },
  'access.signInNeeded': { status: 401 },
  'access.denied': { status: 403 },
  'access.featureNeeded': { status: 403 },
  'access.notFound': { status: 404 },
  'auth.blocked': { status: 429 },
  'auth.smsTooSoon': { status: 429 },
  'auth.smsFailed': { status: 503 },
  'auth.accountDisabled': { status: 403 },
  'auth.partnerUnreachable': { status: 503 },
  'auth.partnerSessionOver': { status: 403, code: partnerSessionOver },
  'user.phoneTaken': { status: 409 },
  'user.lastAdministrator': { status: 409 },
  'upload.wrongOffset': { status: 409 },
  'upload.tooLarge': { status: 413 },
  'upload.typeRefused': { status: 415 },
  'job.finished': { status: 409 },
}

export function errorKind(error: ErrorCode): { status: number; code: number } {
  const kind = groups[error] ?? { status: 400 }
  return { status: kind.status, code: kind.code ?? kind.status }
}
