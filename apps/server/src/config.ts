import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { environmentTypes } from '@console/contract'
import { z } from 'zod'

const whole = (minimum: number, maximum: number, fallback: number) =>
  z
    .string()
    .regex(/^\d+$/)
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .describe(`a whole number from ${minimum} to ${maximum}`)

const address = (protocols: readonly string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)))
    .optional()
    .describe(`an address that begins with ${protocols.map((protocol) => `${protocol}://`).join(' or ')}`)

const namesBucket = ({ username, password, pathname }: URL) => username !== '' && password !== '' && pathname.length > 1

const web = () => address(['https', 'http'])
const flag = () =>
  z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true')
    .default(false)
    .describe('1, 0, true or false')
const words = (fallback: string) => z.string().max(200).default(fallback).describe('a text of at most 200 characters')
const secret = () => z.string().min(1).optional().describe('a text that is not empty')

/** An authorisation-code or OpenID partner: issuer, client and where its own pages are. */
const partner = {
  ISSUER: web(),
  CLIENT_ID: secret(),
  CLIENT_SECRET: secret(),
}
type Prefixed<P extends string> = { [K in keyof typeof partner as `${P}_${K & string}`]: (typeof partner)[K] }
const prefixed = <P extends string>(prefix: P) =>
  Object.fromEntries(Object.entries(partner).map(([key, schema]) => [`${prefix}_${key}`, schema])) as Prefixed<P>

const schema = z.object({
  PORT: whole(0, 65_535, 3000),
  HOST: z.string().min(1).default('127.0.0.1').describe('a host name or an address to listen on'),
  DATA_DIR: z.string().min(1).default('.data').describe('a folder that this user may write to'),
  DATABASE_URL: address(['postgres', 'postgresql']),
  DATABASE_POOL: whole(2, 200, 10),
  REDIS_URL: address(['redis', 'rediss']),
  OBJECTS_URL: address(['s3', 'http', 'https'])
    .refine((value) => value === undefined || (URL.canParse(value) && namesBucket(new URL(value))))
    .describe('an S3 address like https://KEY:SECRET@host/bucket?region=REGION, or left out for a folder in DATA_DIR'),
  ENV_TYPE: z
    .enum(environmentTypes)
    .optional()
    .describe(`one of ${environmentTypes.join(', ')}`),
  PUBLIC_URL: web(),
  TRUST_PROXY: flag(),
  TITLE: words('教学工作台'),
  WEBSITE: words(''),
  COMPANY: words(''),
  PDF_SERVER: words(''),
  VERSION: words('2.2.0'),
  BUILD_TIME: words(''),
  MENU_UTILITY_TOOL: flag(),
  MENU_OLD_EXAM: flag(),
  /** Signs what leaves the server and comes back; made and kept in DATA_DIR when not given. */
  SECRET: z.string().min(32).optional().describe('a secret of at least 32 characters'),
  FRAME_ANCESTORS: z
    .string()
    .regex(/^[^;,]*$/)
    .default("'self'")
    .describe('origins with spaces between them, as in a content security policy'),
  CROSS_ORIGINS: z
    .string()
    .regex(/^(?:https?:\/\/[^\s;,/]+(?:\s+|$))*$/)
    .default('')
    .describe('origins like https://console.example with spaces between them'),
  UPLOAD_LIMIT_MB: whole(1, 100_000, 2048),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('one of debug, info, warn, error, silent'),
  METRICS_TOKEN: secret(),
  SMS_GATEWAY: z.enum(['log', 'http']).default('log').describe('log or http'),
  SMS_HTTP_URL: web(),
  SMS_HTTP_TOKEN: secret(),
  ...prefixed('SHIWAI'),
  ...prefixed('PBS'),
  PBS_API_URL: web(),
  ...prefixed('SZJX'),
  SZJX_LOGOUT_URL: web(),
  WFL_SECRET: z.string().min(16).optional().describe('a secret of at least 16 characters'),
  WFL_HOST: web(),
})

export const environmentNames = Object.keys(schema.shape)
export type Environment = z.infer<typeof schema>
export type Config = Omit<Environment, 'ENV_TYPE'> & { ENV_TYPE: (typeof environmentTypes)[number] }

/** Thrown with one sentence a wrong variable: its name and what it must be. */
export class ConfigError extends Error {}

const together: readonly (readonly (keyof Environment)[])[] = [
  ['SHIWAI_ISSUER', 'SHIWAI_CLIENT_ID', 'SHIWAI_CLIENT_SECRET'],
  ['PBS_ISSUER', 'PBS_CLIENT_ID', 'PBS_CLIENT_SECRET'],
  ['SZJX_ISSUER', 'SZJX_CLIENT_ID', 'SZJX_CLIENT_SECRET', 'SZJX_LOGOUT_URL'],
  ['WFL_SECRET', 'WFL_HOST'],
]

export function readConfig(env: NodeJS.ProcessEnv, fallbackType: Config['ENV_TYPE']): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = schema.safeParse(given)
  const problems = parsed.success ? [] : parsed.error.issues.map((issue) => problemOf(String(issue.path[0])))
  if (parsed.success) problems.push(...missing(parsed.data))
  if (!parsed.success || problems.length > 0) throw new ConfigError([...new Set(problems)].join('\n'))
  return { ...parsed.data, ENV_TYPE: parsed.data.ENV_TYPE ?? fallbackType, DATA_DIR: resolve(parsed.data.DATA_DIR) }
}

function problemOf(name: string): string {
  const field = schema.shape[name as keyof typeof schema.shape] as z.ZodType | undefined
  return `${name} must be ${field?.description ?? 'valid'}`
}

function missing(config: Environment): string[] {
  const problems = together.flatMap((group) => {
    const given = group.filter((name) => config[name] !== undefined)
    const absent = group.filter((name) => config[name] === undefined)
    return given.length > 0 ? absent.map((name) => `${name} must be set too, since ${given[0]} is`) : []
  })
  if (config.SMS_GATEWAY === 'http' && !config.SMS_HTTP_URL)
    problems.push('SMS_HTTP_URL must be set, since SMS_GATEWAY is http')
  const entrance = (['SHIWAI_ISSUER', 'PBS_ISSUER', 'SZJX_ISSUER'] as const).find((name) => config[name])
  if (entrance && !config.PUBLIC_URL)
    problems.push(`PUBLIC_URL must be set too, since ${entrance} is: the partner sends people back there`)
  if (config.PBS_API_URL && !config.PBS_ISSUER) problems.push('PBS_ISSUER must be set too, since PBS_API_URL is')
  return problems
}

/** Secrets may come from a file, as containers and systemd credentials give them: SECRET_FILE for SECRET. */
export function withSecretFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const merged = { ...env }
  for (const [name, file] of Object.entries(env)) {
    const target = name.endsWith('_FILE') ? name.slice(0, -5) : ''
    if (!(target in schema.shape) || !file) continue
    try {
      merged[target] = readFileSync(file, 'utf8').trim()
    } catch {
      throw new ConfigError(`${name} must be a file that can be read`)
    }
  }
  return merged
}
