import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Row } from './row.ts'
import { load } from './support/http-load.ts'
import { startSchoolServer } from './support/school-server.ts'
import type { CrowdSays } from './support/socket-crowd.ts'

export const area = 'sockets'

const sockets = 200
const calls = 2000
const tellEveryMs = 100
/** What was asked: with 200 teachers connected nobody waits noticeably, and all come back at once after a restart. */
const limits = { p99Ms: 100, connectSeconds: 5 }

async function ask(crowd: ChildProcess, question: object | 'count'): Promise<CrowdSays> {
  crowd.send(question)
  const [answer] = (await once(crowd, 'message')) as [CrowdSays]
  return answer
}

async function measure(crowd: ChildProcess): Promise<{ connectSeconds: number; p99: number }> {
  const { running, schoolId, tokens, close } = await startSchoolServer(1000, sockets)
  try {
    const url = running.address
    const connected = await ask(crowd, { url, tokens })
    if (!('connectedMs' in connected)) throw new Error('the sockets did not connect')
    let told = 0
    const timer = setInterval(() => {
      told += 1
      running.services.realtime.toTopic(schoolId, 'school')
    }, tellEveryMs)
    const headers = { authorization: tokens[0] ?? '' }
    const { p99, failed } = await load({ url: `${url}/api/user/page?size=20`, headers, calls, ms: 60_000 })
    clearInterval(timer)
    let heard = 0
    while (heard < told * sockets) {
      const answer = await ask(crowd, 'count')
      heard = 'heard' in answer ? answer.heard : 0
    }
    if (failed > 0 || heard !== told * sockets)
      throw new Error(`${failed} calls failed, ${heard} of ${told * sockets} heard`)
    return { connectSeconds: connected.connectedMs / 1000, p99 }
  } finally {
    await close()
  }
}

/** Calls one after the other on 16 connections while every socket is told of a change ten times a second. */
export async function run(): Promise<Row[]> {
  const crowd = fork(join(import.meta.dirname, 'support/socket-crowd.ts'))
  try {
    const { connectSeconds, p99 } = await measure(crowd)
    const row = (name: string, ours: number, limit: number, unit: string): Row => {
      const rounded = (value: number) => Number(value.toPrecision(3))
      return { name: `${area}/${name}`, ours: rounded(ours), peer: limit, ratio: rounded(ours / limit), unit }
    }
    return [
      row('call-p99-ms-with-200', p99, limits.p99Ms, 'ms'),
      row('connect-200-s', connectSeconds, limits.connectSeconds, 's'),
    ]
  } finally {
    crowd.kill()
  }
}

if (import.meta.main) console.table(await run())
