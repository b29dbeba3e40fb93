import { mkdir } from 'node:fs/promises'
import { ConfigError, type Config } from './config.ts'

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? ''

/** What keeps a server from starting is mostly the operator's to mend, and said as such. */
export async function makeDataDir({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Promise<void> {
  try {
    await mkdir(DATA_DIR, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`DATA_DIR must be a folder that this user may write to: ${DATA_DIR} (${codeOf(error)})`, {
      cause: error,
    })
  }
}

export function listeningError({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>, error: unknown): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new ConfigError(
        `PORT ${PORT} is in use by another program: stop that one, or set PORT to a free one. / 端口 ${PORT} 正被其他程序占用：请停止该程序，或用 PORT 另设端口。`,
      )
    case 'EACCES':
      return new ConfigError(`PORT must be one that this user may listen on: ${PORT} is not`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`HOST must be an address of this machine: ${HOST} is none`)
    default:
      return error
  }
}

/** The name does not lead there, nobody answers, or the door stays shut; of the address only this much is said. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '28000',
  '28P01',
  '3D000',
])

export function databaseError(error: unknown): unknown {
  const code = codeOf(error)
  return unreachable.has(code)
    ? new ConfigError(`DATABASE_URL must lead to a PostgreSQL database that lets this user in (${code})`, {
        cause: error,
      })
    : error
}
