import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { request as send } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as contract from '@console/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clusterJob, clusterTell, clusterWho } from './cluster-endpoints.ts'
import { startLoad, until, watchSchool, type Watcher } from './cluster-load.ts'
import { commandFile, endAllCommands, runCommand, startServerProcess } from './cluster-process.ts'
import { databaseUrl, redisUrl, startStack, type NodeName, type Stack } from './cluster-stack.ts'
import { engineName } from './engines.ts'
import { refusal } from './server.ts'

const phone = '13900000001'
const password = 'Correct-horse-7'

const isSingle = engineName() === 'sqlite'
const hasAll = databaseUrl !== undefined && redisUrl !== undefined

if (isSingle)
  test('on SQLite there is one process: a second one on the same folder is told who holds it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-single-'))
    const env = { DATA_DIR: folder, SECRET: randomBytes(32).toString('hex'), PORT: '0', ENV_TYPE: 'test' }
    const first = await startServerProcess(commandFile('serve'), env)
    const second = await runCommand(commandFile('serve'), env)
    expect(second.code).toBe(1)
    expect(second.output).toContain(`${folder} is in use by process ${first.pid}`)
    expect(second.output).not.toMatch(/\n\s+at /)
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200)
    await endAllCommands()
    await rm(folder, { recursive: true, force: true })
  })

if (!isSingle && !hasAll)
  test('two processes are NOT proven here: TEST_DATABASE_URL and TEST_REDIS_URL are not both set', () => {
    expect([databaseUrl, redisUrl]).toContain(undefined)
  })

if (!isSingle && hasAll)
  describe('two processes on one database behind one address', () => {
    let stack: Stack
    let token = ''
    let userIds: string[] = []
    const watchers: Watcher[] = []
    const clientAt = (url: string, own = token) =>
      contract.createClient({ baseUrl: () => url, token: () => own, locale: () => 'zh-CN' })
    const at = (name: NodeName, own = token) => clientAt(stack.nodes[name].url, own)
    const behind = () => clientAt(stack.proxy.url)
    const login = (url: string) => clientAt(url, '').call(contract.authLogin, { body: { phone, password } })
    const watch = async (...given: Parameters<typeof watchSchool>) => {
      const watcher = await watchSchool(...given)
      watchers.push(watcher)
      return watcher
    }
    const whoAnswers = async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => behind().call(clusterWho)))
      return [...new Set(answers.map(({ node }) => node))].toSorted()
    }
    /** Told until all have heard: when Redis has joined the two is nothing that either can know. */
    const tellAllFrom = (name: NodeName) =>
      until(async () => {
        const before = watchers.map(({ heard }) => heard.length)
        await at(name).call(clusterTell)
        await until(() => expect(watchers.every(({ heard }, n) => heard.length > (before[n] ?? 0))).toBe(true), 500)
      })

    beforeAll(async () => {
      stack = await startStack()
      const args = ['create', '--school', '双机中学', '--name', '校长', '--phone', phone, '--password', password]
      const made = await runCommand(commandFile('admin'), stack.env, args)
      if (made.code !== 0) throw new Error(made.output)
      ;({ token } = await login(stack.nodes.one.url))
      const added = Array.from({ length: 4 }, (_, n) =>
        at('one').call(contract.userAdd, { body: { name: 'n0', phone: `1370000000${n}`, password } }),
      )
      userIds = (await Promise.all(added)).map(({ id }) => id)
    })
    afterEach(() => {
      for (const { socket } of watchers.splice(0)) socket.disconnect()
    })
    afterAll(() => stack.close())

    test('who signed in at one is served by both', async () => {
      const [atOne, atTwo] = await Promise.all([
        at('one').call(contract.userCurrent),
        at('two').call(contract.userCurrent),
      ])
      expect(atTwo).toEqual(atOne)
      expect(await whoAnswers()).toEqual(['one', 'two'])
    })

    test('what happens at one reaches the sockets at the other, once', async () => {
      await watch(stack.nodes.one.url, token, ['websocket'])
      await watch(stack.nodes.two.url, token, ['websocket'])
      await watch(stack.proxy.url, token, ['polling'])
      await watch(stack.proxy.url, token, ['polling', 'websocket'])
      for (const name of ['one', 'two'] as const) {
        await tellAllFrom(name)
        for (const { heard } of watchers) heard.length = 0
        await at(name).call(clusterTell)
        await until(() => expect(watchers.map(({ heard }) => heard.length)).toEqual([1, 1, 1, 1]))
      }
    })

    test('a session that is ended at one is over at the other at once, and its sockets with it', async () => {
      const other = await login(stack.nodes.two.url)
      const watcher = await watch(stack.nodes.two.url, other.token, ['websocket'])
      await tellAllFrom('one')
      await at('two', other.token).call(contract.userCurrent)
      const sessions = await at('two', other.token).call(contract.authSessions)
      const ended = sessions.find(({ isCurrent }) => isCurrent)
      await at('one').call(contract.authSessionEnd, { params: { id: ended?.id ?? '' } })
      expect((await refusal(at('two', other.token).call(contract.userCurrent))).error).toBe('access.signInNeeded')
      await until(() => expect(watcher.reasons).toEqual(['revoked']))
      await until(() => expect(watcher.socket.connected).toBe(false))
    })

    test('an upload that began at one goes on at the other', async () => {
      const content = randomBytes(300_000)
      const sha256 = createHash('sha256').update(content).digest('hex')
      const body = { name: '试卷.bin', size: content.length, key: 'cluster', sha256 }
      const { id } = await at('one').call(contract.uploadBegin, { body })
      const chunk = (name: NodeName, from: number, to: number) =>
        at(name).call(contract.uploadChunk, {
          params: { id },
          query: { offset: from },
          bytes: content.subarray(from, to),
        })
      await chunk('one', 0, 100_000)
      expect(await at('two').call(contract.uploadBegin, { body })).toMatchObject({ id, received: 100_000 })
      await chunk('two', 100_000, 200_000)
      const complete = await chunk('one', 200_000, 300_000)
      expect(complete).toMatchObject({ state: 'complete', hash: sha256 })
      const file = await at('two').call(contract.objectDownload, { params: { hash: sha256 } })
      expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true)
    })

    test('one is killed in the middle of the work: no call fails, sockets come back, its job is taken over', async () => {
      await watch(stack.proxy.url, token, ['websocket'])
      await watch(stack.proxy.url, token, ['websocket'])
      await watch(stack.proxy.url, token, ['polling'])
      const { id } = await behind().call(clusterJob)
      const job = () => behind().call(contract.jobOne, { params: { id } })
      const victim = await until(async () => {
        const { note } = await job()
        if (note !== 'one' && note !== 'two') throw new Error('not begun')
        return note
      })
      const survivor = victim === 'one' ? 'two' : 'one'
      const load = startLoad(behind(), userIds)
      await until(() => expect(load.done()).toBeGreaterThan(100))
      const before = watchers.map(({ connections }) => connections())
      const killed = Date.now()
      stack.nodes[victim].kill('SIGKILL')
      await stack.nodes[victim].ended
      const doneBefore = load.done()
      await until(() =>
        expect(watchers.reduce((sum, { connections }) => sum + connections(), 0)).toBeGreaterThan(
          before.reduce((a, b) => a + b, 0),
        ),
      )
      const backAfter = Date.now() - killed
      await tellAllFrom(survivor)
      await until(() => expect(load.done()).toBeGreaterThan(doneBefore + 100))
      expect(await whoAnswers()).toEqual([survivor])
      await until(
        async () => expect(await job()).toMatchObject({ state: 'done', result: { node: survivor, attempt: 2 } }),
        45_000,
      )
      process.stdout.write(
        `  sockets back after ${backAfter} ms, the job done ${Date.now() - killed} ms after the kill\n`,
      )
      expect(await load.end()).toEqual({ failures: [], lost: [] })
      await stack.restart(victim)
      await until(async () => expect(await whoAnswers()).toEqual(['one', 'two']))
      await tellAllFrom(victim)
    }, 120_000)

    test('one is asked to end: what it was doing is finished, the rest goes elsewhere, and it ends with 0', async () => {
      await watch(stack.nodes.one.url, token, ['websocket'])
      await watch(stack.proxy.url, token, ['websocket'])
      await watch(stack.proxy.url, token, ['websocket'])
      const load = startLoad(behind(), userIds)
      const slow = await beginSlowCall(at('one'), stack.nodes.one.url, token)
      const asked = Date.now()
      stack.nodes.one.kill('SIGTERM')
      await until(() => expect(fetch(`${stack.nodes.one.url}/healthz`)).rejects.toThrow('fetch failed'))
      const doneBefore = load.done()
      await until(() => expect(load.done()).toBeGreaterThan(doneBefore + 100))
      expect(await slow.finish()).toMatchObject({ code: 0, data: { state: 'complete' } })
      expect(await stack.nodes.one.ended).toMatchObject({ code: 0, signal: null })
      const took = Date.now() - asked
      process.stdout.write(`  ended ${took} ms after it was asked\n`)
      expect(took).toBeLessThan(15_000)
      expect(await load.end()).toEqual({ failures: [], lost: [] })
      await stack.restart('one')
      await until(async () => expect(await whoAnswers()).toEqual(['one', 'two']))
      await tellAllFrom('two')
    }, 120_000)
  })

/** A call that the server has begun to answer and cannot end before `finish`. */
async function beginSlowCall(client: contract.Client, url: string, token: string) {
  const content = randomBytes(20_000)
  const { id } = await client.call(contract.uploadBegin, { body: { name: 'slow.bin', size: content.length } })
  const headers = {
    authorization: token,
    'content-type': 'application/octet-stream',
    'content-length': content.length,
    expect: '100-continue',
  }
  const outgoing = send(`${url}/api/upload/${id}?offset=0`, { method: 'PATCH', headers })
  const answer = new Promise<string>((resolve, reject) => {
    outgoing.on('response', (response) => resolve(text(response)))
    outgoing.on('error', reject)
  })
  await new Promise((resolve) => outgoing.once('continue', resolve))
  outgoing.write(content.subarray(0, 10_000))
  return {
    async finish(): Promise<unknown> {
      outgoing.end(content.subarray(10_000))
      return JSON.parse(await answer)
    },
  }
}
