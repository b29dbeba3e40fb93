import { CallError } from '@console/contract'
import { say } from './locale.ts'

const namedStatuses = [400, 401, 403, 408, 500, 501, 502, 503, 504, 505] as const
type NamedStatus = (typeof namedStatuses)[number]

function isNamed(status: number): status is NamedStatus {
  return namedStatuses.some((named) => named === status)
}

function statusText(status: number, path: string): string {
  if (status === 404) return say('httpStatus.404', { url: path })
  return isNamed(status) ? say(`httpStatus.${status}`) : say('httpStatus.other', { status })
}

/** What a person reads about a failed call: the server's own sentence where it said one. */
export function failureText(error: unknown): string {
  if (!(error instanceof CallError)) return say('httpStatus.unreadable')
  const { kind, msg, status, path } = error.details
  if (kind === 'network') return say('httpStatus.network')
  if (kind === 'timeout') return say('httpStatus.timeout')
  if (kind === 'http') return statusText(status, path)
  return msg || statusText(status, path)
}

export function requestIdOf(error: unknown): string {
  return error instanceof CallError ? error.details.requestId : ''
}
