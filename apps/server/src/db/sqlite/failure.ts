import type { FailureData } from './messages.ts'

const busyCode = 5

/** The upper bits say more about the kind of it. */
export const isBusyCode = (errcode: number | undefined): boolean =>
  errcode !== undefined && (errcode & 0xff) === busyCode

export function failureOf(thrown: unknown): FailureData {
  const error = thrown as Error & { code?: string; errcode?: number; errstr?: string }
  return {
    message: error.message,
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.errcode === undefined ? {} : { errcode: error.errcode }),
    ...(error.errstr === undefined ? {} : { errstr: error.errstr }),
    ...(isBusyCode(error.errcode) ? { busy: true } : {}),
  }
}
