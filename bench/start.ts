import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './row.ts'
import { startCommand } from './support/start-command.ts'

export const area = 'start'

/** What was asked: seconds until the first answer with nothing there, the demo school included, and with everything there. */
const limits = { cold: 10, warm: 3 }

async function secondsToAnswer(dataDir: string): Promise<number> {
  const { seconds, stop } = await startCommand(dataDir)
  await stop()
  return seconds
}

function row(name: string, ours: number, limit: number): Row {
  const rounded = Number(ours.toPrecision(3))
  return {
    name: `${area}/${name}`,
    ours: rounded,
    peer: limit,
    ratio: Number((ours / limit).toPrecision(3)),
    unit: 's',
  }
}

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-start-'))
  try {
    const dataDir = join(folder, 'data')
    const cold = await secondsToAnswer(dataDir)
    const warm = await secondsToAnswer(dataDir)
    return [row('cold-s', cold, limits.cold), row('warm-s', warm, limits.warm)]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) console.table(await run())
