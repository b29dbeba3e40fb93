import type { SameShape } from '../shape.ts'
import type { httpStatus as source } from '../zh-cn/http-status.ts'

export const httpStatus: SameShape<typeof source> = {
  '400': 'request error',
  '401': 'unauthorised, please log in',
  '403': 'access denied',
  '404': 'request address error: {url}',
  '408': 'request timeout',
  '500': 'server internal error',
  '501': 'service not implemented',
  '502': 'gateway error',
  '503': 'service unavailable',
  '504': 'gateway timeout',
  '505': 'HTTP version not supported',
  other: 'The request failed (status {status})',
  network: 'The network connection failed. Check the network and try again',
  timeout: 'The server did not answer in time. Please try again',
  unreadable: 'The answer of the server could not be read. Please try again later',
}
