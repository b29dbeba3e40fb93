import type { Config } from '../config.ts'

const loopback = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

type Settings = Pick<Config, 'ENV_TYPE' | 'CROSS_ORIGINS'>

const listed = ({ CROSS_ORIGINS }: Settings) => CROSS_ORIGINS.split(/\s+/).filter(Boolean)

/**
 * Consoles of other addresses that may call this server: the debug page can choose another server than the one that the
 * page came from. Outside production those of the same machine may; in production only what is listed.
 */
export function mayCallFrom(settings: Settings, origin: string): boolean {
  return listed(settings).includes(origin) || (settings.ENV_TYPE !== 'production' && loopback.test(origin))
}

/** The other way round: where the console of this server may send its calls, as a content security policy says it. */
export function callTargets(settings: Settings): string[] {
  const own =
    settings.ENV_TYPE === 'production'
      ? []
      : ['http://127.0.0.1:*', 'http://localhost:*', 'ws://127.0.0.1:*', 'ws://localhost:*']
  return [...own, ...listed(settings)]
}
