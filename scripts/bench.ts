import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Row } from '../bench/row.ts'

type Area = { area: string; run: () => Promise<Row[]> }
type Result = { area: string; rows: Row[]; error: unknown }

const folder = join(import.meta.dirname, '../bench')
const notAreas = new Set(['row.ts'])

function isArea(module: object): module is Area {
  return 'area' in module && typeof module.area === 'string' && 'run' in module && typeof module.run === 'function'
}

async function loadArea(file: string): Promise<Area | null> {
  try {
    const module = (await import(join(folder, file))) as object
    return isArea(module) ? module : null
  } catch (error) {
    const fail = () => Promise.reject(error instanceof Error ? error : new Error(String(error)))
    return { area: file.replace(/\.ts$/, ''), run: fail }
  }
}

async function measure({ area, run }: Area): Promise<Result> {
  try {
    return { area, rows: await run(), error: null }
  } catch (error) {
    return { area, rows: [], error }
  }
}

const figure = (value: number) => value.toLocaleString('en-US', { maximumSignificantDigits: 4 })

function print({ area, rows, error }: Result): void {
  console.log(`\n${area}`)
  const cells = rows.map((row) => [row.name, figure(row.ours), figure(row.peer), `${figure(row.ratio)}x`, row.unit])
  const table = [['', 'ours', 'peer', 'ratio', 'unit'], ...cells]
  const width = (column: number) => Math.max(...table.map((line) => (line[column] ?? '').length))
  const widths = [0, 1, 2, 3].map(width)
  for (const [name = '', ours = '', peer = '', ratio = '', unit = ''] of rows.length > 0 ? table : []) {
    const numbers = [ours, peer, ratio].map((cell, index) => cell.padStart(widths[index + 1] ?? 0))
    console.log(`  ${name.padEnd(widths[0] ?? 0)}  ${numbers.join('  ')}  ${unit}`)
  }
  if (error !== null) console.error(error)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } })
  const files = (await readdir(folder)).filter((name) => /^[\w-]+\.ts$/.test(name) && !notAreas.has(name)).toSorted()
  const areas = (await Promise.all(files.map(loadArea))).filter((area) => area !== null)
  const wanted = areas.filter(({ area }) => positionals.length === 0 || positionals.includes(area))
  if (wanted.length === 0) {
    console.error(`No such area; there are: ${areas.map(({ area }) => area).join(', ') || 'none'}`)
    return 1
  }
  const results: Result[] = []
  for (const area of wanted) {
    const result = await measure(area)
    results.push(result)
    if (!values.json) print(result)
    else if (result.error !== null) console.error(area.area, result.error)
  }
  // One figure a line, so that a line can be compared with yesterday's.
  if (values.json) for (const { rows } of results) for (const row of rows) console.log(JSON.stringify(row))
  return results.some(({ error }) => error !== null) ? 1 : 0
}

process.exitCode = await main()
