import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authLogin, createClient, userAll, userCurrent } from '@console/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { commandFile, endAllCommands, runCommand, startCommand, startServerProcess } from './cluster-process.ts'

const phone = '13900000001'
const password = 'Correct-horse-7'
const secret = { SECRET: randomBytes(32).toString('hex') }
const readyPattern = /已就绪（[\d.]+ 秒）\s+Ready \([\d.]+ s\)\s+(http:\S+)/

/** The commands themselves, as processes. They know no engine but by the store, which the other tests cover on both. */
describe('commands', () => {
  let folder: string
  let folders = 0
  const fresh = () => join(folder, `data-${(folders += 1)}`)
  const base = (DATA_DIR: string) => ({ DATA_DIR, PORT: '0', CONSOLE_DEV: '1' })
  const serve = (dataDir: string, env: Record<string, string> = {}) =>
    startServerProcess(commandFile('serve'), { ...base(dataDir), ...secret, ...env })
  const refused = async (name: 'serve' | 'start' | 'admin', env: Record<string, string>, args: string[] = []) => {
    const { code, output } = await runCommand(commandFile(name), env, args)
    expect(code).toBe(1)
    expect(output).not.toMatch(/\n\s+at /)
    return output
  }
  const create = (dataDir: string, more: string[] = ['--password', password]) =>
    runCommand(commandFile('admin'), base(dataDir), [
      'create',
      '--school',
      '第一中学',
      '--name',
      '校长',
      '--phone',
      phone,
      ...more,
    ])
  const signIn = async (url: string, given = password) => {
    let token: string | null = null
    const client = createClient({ baseUrl: () => url, token: () => token, locale: () => 'zh-CN' })
    ;({ token } = await client.call(authLogin, { body: { phone, password: given } }))
    return client
  }
  async function makeDemo(): Promise<string> {
    const dataDir = fresh()
    const started = startCommand(commandFile('start'), base(dataDir))
    await started.says(readyPattern)
    started.kill('SIGTERM')
    expect(await started.ended).toMatchObject({ code: 0 })
    return dataDir
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'console-commands-'))
  })
  afterEach(endAllCommands)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('wrong variables are all said, and nothing is made', async () => {
    const output = await refused('serve', { ...base(fresh()), PORT: '99999', LOG_LEVEL: 'loud' })
    expect(output).toContain('PORT must be a whole number from 0 to 65535\nLOG_LEVEL must be one of')
  })

  test('serve wants a secret, and no demo', async () => {
    expect(await refused('serve', base(fresh()))).toContain('SECRET must be set: at least 32 characters')
    expect(await refused('serve', { ...base(fresh()), ...secret, ENV_TYPE: 'demo' })).toContain(
      'ENV_TYPE must not be demo here',
    )
  })

  test('serve refuses the data of the demo school, start those of a real one', async () => {
    const output = await refused('serve', { ...base(await makeDemo()), ...secret })
    expect(output).toContain('这里是示范学校的数据，不能用于正式运行')
    expect(output).toContain('This is the data of the demo school')
    const real = fresh()
    expect(await create(real)).toMatchObject({ code: 0 })
    const other = await refused('start', base(real))
    expect(other).toContain('这里是真实学校的数据，请用 npm run serve 启动。')
    expect(other).toContain('This is the data of a real school: use npm run serve.')
  })

  test('start makes no demo school in production', async () => {
    expect(await refused('start', { ...base(fresh()), ENV_TYPE: 'production' })).toContain('npm run serve')
  })

  test('a second start on the same folder is told who holds it; after the end of the first it may', async () => {
    const dataDir = fresh()
    const first = startCommand(commandFile('start'), base(dataDir))
    await first.says(readyPattern)
    const output = await refused('start', base(dataDir))
    expect(output).toContain(`${dataDir} is in use by process ${first.pid} (`)
    expect(output).toContain(`${dataDir} 正在被占用：process ${first.pid}`)
    first.kill('SIGKILL')
    await first.ended
    await startCommand(commandFile('start'), base(dataDir)).says(readyPattern)
  })

  test('a port in use, a folder that is none and a database that is away are said in a sentence', async () => {
    const first = await serve(fresh())
    const output = await refused('serve', { ...base(fresh()), ...secret, PORT: first.port })
    expect(output).toContain(`PORT ${first.port} is in use by another program`)
    expect(output).toContain(`端口 ${first.port} 正被其他程序占用`)
    const file = join(folder, 'file')
    await writeFile(file, '')
    for (const name of ['serve', 'start'] as const) {
      expect(await refused(name, { ...base(file), ...secret })).toContain(
        'DATA_DIR must be a folder that this user may write to',
      )
    }
    expect(await refused('serve', { ...base(fresh()), ...secret, HOST: '192.0.2.1' })).toContain(
      'HOST must be an address of this machine',
    )
    const away = await refused('serve', {
      ...base(fresh()),
      ...secret,
      DATABASE_URL: 'postgres://u:hidden@127.0.0.1:1/x',
    })
    expect(away).toContain('DATABASE_URL must lead to a PostgreSQL database')
    expect(away).not.toContain('hidden')
  })

  test('admin create makes an account that signs in, also while the server runs, and says it in both languages', async () => {
    const dataDir = fresh()
    await mkdir(dataDir)
    const server = await serve(dataDir)
    expect(server.output()).toContain('还没有学校')
    expect(server.output()).toContain('There is no school yet')
    const { code, output } = await create(dataDir, [])
    expect(code).toBe(0)
    const [, made = ''] = /password (\S+) \(shown this once\)/.exec(output) ?? []
    expect(output).toContain(`手机号 ${phone}，密码 ${made}（只显示这一次）`)
    const client = await signIn(server.url, made)
    expect(await client.call(userCurrent)).toMatchObject({ schoolName: '第一中学', name: '校长', isAdmin: true })
    expect(await client.call(userAll, { query: {} })).toHaveLength(1)
    const again = await create(dataDir)
    expect(again).toMatchObject({ code: 1 })
    expect(again.output).not.toMatch(/\n\s+at /)
  })

  test('reset-password while the server runs: the old one and its sessions are over', async () => {
    const dataDir = fresh()
    expect(await create(dataDir)).toMatchObject({ code: 0 })
    const server = await serve(dataDir)
    const client = await signIn(server.url)
    const args = ['reset-password', '--phone', phone, '--password', 'Another-horse-8']
    expect(await runCommand(commandFile('admin'), base(dataDir), args)).toMatchObject({ code: 0 })
    await expect(client.call(userCurrent)).rejects.toThrow()
    await expect(signIn(server.url)).rejects.toThrow()
    await signIn(server.url, 'Another-horse-8')
  })

  test('admin says how it is used, and refuses what it cannot do', async () => {
    const dataDir = fresh()
    for (const args of [[], ['create'], ['remove', '--phone', phone], ['create', '--phone', '12']]) {
      const output = await refused('admin', base(dataDir), args)
      expect(output).toContain('用法')
      expect(output).toContain('Usage')
    }
    expect(await refused('admin', base(dataDir), ['create', '--nonsense', 'x'])).toContain('Usage')
    const weak = ['create', '--school', 'A', '--name', 'B', '--phone', phone, '--password', 'weak']
    expect(await refused('admin', base(dataDir), weak)).not.toContain('Done')
    expect(await refused('admin', base(dataDir), ['reset-password', '--phone', phone])).toContain(
      `no account with the phone number ${phone}`,
    )
  })
})
