import type { SqlValue } from './messages.ts'

/** What SQLite can hold; everything else was meant for the codec plugin above and is a mistake here. */
export function sqlValues(parameters: readonly unknown[]): SqlValue[] {
  return parameters.map((value, at) => {
    if (typeof value === 'boolean') return value ? 1 : 0
    if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      return value
    if (value instanceof Uint8Array) return value
    throw new TypeError(
      `parameter ${at + 1} is ${value === undefined ? 'undefined' : `a ${Object.prototype.toString.call(value)}`}, which SQLite cannot hold`,
    )
  })
}
