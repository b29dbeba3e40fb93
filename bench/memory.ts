import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { authLogin, createClient, userPage } from '@console/contract'
import { demoAccounts, demoPassword } from '../apps/server/src/db/seed/demo.ts'
import type { Row } from './row.ts'
import { residentMb, startCommand } from './support/start-command.ts'

export const area = 'mem'

const calls = 100
const idleMs = 10_000

/** The running school after some work, when nobody has asked anything for a while. */
async function ourMb(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-memory-'))
  const started = await startCommand(join(folder, 'data'))
  try {
    let token: string | null = null
    const client = createClient({ baseUrl: () => started.url, token: () => token, locale: () => 'zh-CN' })
    ;({ token } = await client.call(authLogin, { body: { phone: demoAccounts.administrator, password: demoPassword } }))
    for (let n = 0; n < calls; n += 1) await client.call(userPage, { query: { size: 20 } })
    // Idle is what is measured, so here time itself is waited for.
    await pass(idleMs)
    return await residentMb(started.pid)
  } finally {
    await started.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function bareMb(): Promise<number> {
  const code = `require('http').createServer().listen(0, () => console.log('ready'))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  const mb = await residentMb(child.pid ?? 0)
  child.kill()
  await once(child, 'exit')
  return mb
}

export async function run(): Promise<Row[]> {
  const [ours, peer] = [await ourMb(), await bareMb()]
  const rounded = (value: number) => Number(value.toPrecision(3))
  return [
    { name: `${area}/idle-mb`, ours: rounded(ours), peer: rounded(peer), ratio: rounded(ours / peer), unit: 'MB' },
  ]
}

if (import.meta.main) console.table(await run())
