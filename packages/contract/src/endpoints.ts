import type { AnyEndpoint } from './endpoint.ts'
import * as auth from './auth.ts'
import * as environment from './environment.ts'
import * as job from './job.ts'
import * as pbs from './pbs.ts'
import * as reference from './reference.ts'
import * as upload from './upload.ts'
import * as user from './user.ts'

function isEndpoint(value: unknown): value is AnyEndpoint {
  return typeof value === 'object' && value !== null && 'bodyKind' in value && 'access' in value
}

/** Every endpoint there is: the server must serve each, the tests walk each. */
export const endpoints: readonly AnyEndpoint[] = [auth, environment, job, pbs, reference, upload, user].flatMap(
  (group) => Object.values<unknown>(group).filter(isEndpoint),
)
