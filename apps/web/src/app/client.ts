import { CallError, createClient, type Client } from '@console/contract'
import { announceFailure, observeFailure } from './call-policy.tsx'
import { readToken } from './credentials.ts'
import { apiAddress } from './environments.ts'
import { currentLocale } from './locale.ts'

const client = createClient({
  baseUrl: apiAddress,
  token: readToken,
  locale: currentLocale,
  onFailure: announceFailure,
})

/** A call that applies no rule of the session: for signing in, where a refused token is an answer and not an end. */
export const callQuietly: Client['call'] = client.call

export const call: Client['call'] = async (endpoint, ...args) => {
  try {
    return await client.call(endpoint, ...args)
  } catch (error) {
    if (error instanceof CallError) observeFailure(error)
    throw error
  }
}

/**
 * The form-encoded helper: 403 is failure, any other answer is success.
 * @public
 */
export const postForm: Client['postForm'] = client.postForm
