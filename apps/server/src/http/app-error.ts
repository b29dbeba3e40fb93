import type { ErrorCode, PhraseParams } from '@console/phrases'

export type FieldRefusal = { path: string; error: ErrorCode; params?: PhraseParams }

/** A refusal with a code; the edge turns it into an envelope in the reader's language. Never carries anything internal. */
export class AppError extends Error {
  readonly error: ErrorCode
  readonly params: PhraseParams
  readonly fields: readonly FieldRefusal[]
  /** Milliseconds to wait before trying again. */
  readonly wait: number | null
  constructor(
    error: ErrorCode,
    more: { params?: PhraseParams; fields?: FieldRefusal[]; wait?: number; cause?: unknown } = {},
  ) {
    super(error, { cause: more.cause })
    this.name = 'AppError'
    this.error = error
    this.params = more.params ?? {}
    this.fields = more.fields ?? []
    this.wait = more.wait ?? null
  }
}

/** A refusal that belongs to one place of the form. */
export function fieldError(path: string, error: ErrorCode, params?: PhraseParams): AppError {
  return new AppError('request.invalid', { fields: [{ path, error, ...(params ? { params } : {}) }] })
}

export const notFound = () => new AppError('access.notFound')
