import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, environmentNames, readConfig, withSecretFiles } from '../src/config.ts'

const wrong: Record<string, { values: string[]; must: string }> = {
  PORT: { values: ['-1', '65536', 'http', '80.5', ' 80'], must: 'a whole number from 0 to 65535' },
  DATABASE_URL: { values: ['x', 'mysql://host/db'], must: 'an address that begins with postgres:// or postgresql://' },
  DATABASE_POOL: { values: ['1', '201', 'many'], must: 'a whole number from 2 to 200' },
  REDIS_URL: { values: ['localhost:6379', 'http://host'], must: 'an address that begins with redis:// or rediss://' },
  OBJECTS_URL: {
    values: [
      'x',
      '/files',
      'ftp://key:secret@host/bucket',
      'https://host/bucket',
      'https://key@host/bucket',
      'https://key:secret@host/',
    ],
    must: 'an S3 address like https://KEY:SECRET@host/bucket?region=REGION, or left out for a folder in DATA_DIR',
  },
  ENV_TYPE: { values: ['prod', 'Demo'], must: 'one of ' },
  TRUST_PROXY: { values: ['yes', '2'], must: '1, 0, true or false' },
  MENU_UTILITY_TOOL: { values: ['on'], must: '1, 0, true or false' },
  MENU_OLD_EXAM: { values: ['on'], must: '1, 0, true or false' },
  SECRET: { values: ['x'.repeat(31)], must: 'a secret of at least 32 characters' },
  FRAME_ANCESTORS: {
    values: ["'self'; script-src *", 'https://a.example, https://b.example'],
    must: 'origins with spaces between them',
  },
  CROSS_ORIGINS: {
    values: [
      'console.example',
      'https://a.example/path',
      'https://a.example,https://b.example',
      'https://a.examplehttps://b.example',
    ],
    must: 'origins like https://console.example with spaces between them',
  },
  UPLOAD_LIMIT_MB: { values: ['0', '100001', '2 GB'], must: 'a whole number from 1 to 100000' },
  LOG_LEVEL: { values: ['verbose', 'INFO'], must: 'one of debug, info, warn, error, silent' },
  SMS_GATEWAY: { values: ['smtp'], must: 'log or http' },
  WFL_SECRET: { values: ['short'], must: 'a secret of at least 16 characters' },
}
const webAddresses = [
  'PUBLIC_URL',
  'SMS_HTTP_URL',
  'SHIWAI_ISSUER',
  'PBS_ISSUER',
  'PBS_API_URL',
  'SZJX_ISSUER',
  'SZJX_LOGOUT_URL',
  'WFL_HOST',
]
for (const name of webAddresses) {
  wrong[name] = {
    values: ['example.com', 'javascript:alert(1)', 'ftp://x'],
    must: 'an address that begins with https:// or http://',
  }
}
for (const name of ['TITLE', 'WEBSITE', 'COMPANY', 'PDF_SERVER', 'VERSION', 'BUILD_TIME']) {
  wrong[name] = { values: ['字'.repeat(201)], must: 'a text of at most 200 characters' }
}
/** Any text that is not empty is right, and an empty one is as if it were not there. */
const anything = [
  'HOST',
  'DATA_DIR',
  'METRICS_TOKEN',
  'SMS_HTTP_TOKEN',
  'SHIWAI_CLIENT_ID',
  'SHIWAI_CLIENT_SECRET',
  'PBS_CLIENT_ID',
  'PBS_CLIENT_SECRET',
  'SZJX_CLIENT_ID',
  'SZJX_CLIENT_SECRET',
]

function problems(env: Record<string, string>): string[] {
  try {
    readConfig(env, 'test')
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.message.split('\n')
  }
}

describe('a wrong value', () => {
  test('every variable is looked at here', () => {
    expect([...Object.keys(wrong), ...anything].toSorted()).toEqual(environmentNames.toSorted())
  })

  test.each(Object.entries(wrong))('%s: one sentence names it and says what it must be', (name, { values, must }) => {
    for (const value of values) {
      const said = problems({ [name]: value })
      expect(said, value).toHaveLength(1)
      expect(said[0]).toContain(`${name} must be ${must}`)
    }
  })

  test('the value is not repeated: it may be a secret in the wrong place', () => {
    expect(problems({ DATABASE_URL: 'mysql://user:hidden@host/db' }).join()).not.toContain('hidden')
    expect(problems({ WFL_SECRET: 'hidden' }).join()).not.toContain('hidden')
  })

  test('several are said at once, each once', () => {
    const said = problems({ PORT: 'x', LOG_LEVEL: 'x', DATABASE_URL: 'x', TITLE: '字'.repeat(300) })
    const names = said.map((sentence) => sentence.replace(/ .*/, ''))
    expect(names.toSorted()).toEqual(['DATABASE_URL', 'LOG_LEVEL', 'PORT', 'TITLE'])
  })

  test('an empty one is as if it were not set', () => {
    expect(problems(Object.fromEntries(environmentNames.map((name) => [name, ''])))).toEqual([])
  })
})

describe('what belongs together', () => {
  const url = 'https://partner.example'
  const PUBLIC_URL = 'https://school.example'

  test.each([
    ['SHIWAI', {}],
    ['PBS', {}],
    ['SZJX', { SZJX_LOGOUT_URL: url }],
  ])('%s needs all of its own, and the address to come back to', (prefix, more: Record<string, string>) => {
    const whole: Record<string, string> = {
      [`${prefix}_ISSUER`]: url,
      [`${prefix}_CLIENT_ID`]: 'id',
      [`${prefix}_CLIENT_SECRET`]: 'secret',
      ...more,
    }
    expect(problems({ ...whole, PUBLIC_URL })).toEqual([])
    expect(problems(whole)).toEqual([
      `PUBLIC_URL must be set too, since ${prefix}_ISSUER is: the partner sends people back there`,
    ])
    for (const name of Object.keys(whole)) {
      const { [name]: _left, ...rest } = whole
      expect(problems({ ...rest, PUBLIC_URL })).toEqual([
        expect.stringMatching(`^${name} must be set too, since \\w+ is$`),
      ])
    }
  })

  test('the others', () => {
    expect(problems({ WFL_SECRET: 'x'.repeat(16) })).toEqual(['WFL_HOST must be set too, since WFL_SECRET is'])
    expect(problems({ WFL_HOST: url })).toEqual(['WFL_SECRET must be set too, since WFL_HOST is'])
    expect(problems({ SMS_GATEWAY: 'http' })).toEqual(['SMS_HTTP_URL must be set, since SMS_GATEWAY is http'])
    expect(problems({ PBS_API_URL: url })).toEqual(['PBS_ISSUER must be set too, since PBS_API_URL is'])
  })
})

describe('defaults', () => {
  test('are those that were asked for', () => {
    const config = readConfig({}, 'demo')
    expect(config).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: resolve('.data'),
      ENV_TYPE: 'demo',
      TRUST_PROXY: false,
      LOG_LEVEL: 'info',
    })
    expect([config.DATABASE_URL, config.REDIS_URL, config.OBJECTS_URL, config.SECRET]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  test('what is given goes before them', () => {
    expect(
      readConfig({ PORT: '0', TRUST_PROXY: 'true', ENV_TYPE: 'production', HOST: '0.0.0.0' }, 'demo'),
    ).toMatchObject({
      PORT: 0,
      TRUST_PROXY: true,
      ENV_TYPE: 'production',
      HOST: '0.0.0.0',
    })
  })
})

describe('secrets in files', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-config-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('are read without the newline that editors leave', async () => {
    const file = join(folder, 'secret')
    await writeFile(file, `${'s'.repeat(40)}\n`)
    expect(readConfig(withSecretFiles({ SECRET_FILE: file, METRICS_TOKEN_FILE: file }), 'test')).toMatchObject({
      SECRET: 's'.repeat(40),
      METRICS_TOKEN: 's'.repeat(40),
    })
  })

  test('one that is not there is named, and a variable of another program is left alone', () => {
    const missing = join(folder, 'nothing')
    expect(() => withSecretFiles({ SECRET_FILE: missing })).toThrow(
      new ConfigError('SECRET_FILE must be a file that can be read'),
    )
    expect(withSecretFiles({ OTHER_FILE: missing, SECRET_FILE: '' })).toEqual({ OTHER_FILE: missing, SECRET_FILE: '' })
  })

  test('what stands in the file is checked like anything else', async () => {
    const file = join(folder, 'short')
    await writeFile(file, 'too short')
    expect(problems(withSecretFiles({ SECRET_FILE: file }) as Record<string, string>)).toEqual([
      'SECRET must be a secret of at least 32 characters',
    ])
  })
})
