import { expect, test, type TestOptions } from 'vitest'
import { engineName } from './engines.ts'

type Body = () => Promise<void> | void
type Named = (name: string, options: TestOptions | Body, body?: Body) => void

/** A test that needs something of the machine. Where that is missing, its title says so instead of staying silent. */
export function testNeeding(isThere: boolean, what: string): Named {
  return (name, options, body) => {
    const run = typeof options === 'function' ? options : body
    if (isThere && run) test(name, typeof options === 'function' ? {} : options, run)
    else test(`not run, for want of ${what}: ${name}`, () => expect(isThere).toBe(false))
  }
}

export const hasPostgres = Boolean(process.env['TEST_DATABASE_URL'])
export const ownPostgres = 'a PostgreSQL in TEST_DATABASE_URL'
/** Another process reaches a file and a real PostgreSQL, but not a database in this one's memory. */
export const isReachable = engineName() === 'sqlite' || hasPostgres
