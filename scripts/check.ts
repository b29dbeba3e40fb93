import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

export type CheckResult = { name: string; passed: boolean; ms: number; output: string }
type Check = { name: string; args: string[] }

const root = join(import.meta.dirname, '..')
const atOnce = 2

const checks: Check[] = [
  { name: 'lint', args: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--threads=2'] },
  { name: 'types: server', args: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'] },
  { name: 'types: web', args: ['node_modules/typescript/bin/tsc', '-p', 'apps/web/tsconfig.json'] },
  { name: 'unused code', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { name: 'format', args: ['node_modules/oxfmt/bin/oxfmt', '--check', '--threads=2'] },
  { name: 'walls', args: ['scripts/walls.ts'] },
]

/** Runs every check, two at a time, and tells of each as it ends. */
export async function runChecks(onResult: (result: CheckResult) => void): Promise<CheckResult[]> {
  const waiting = checks.map((check, index) => ({ check, index }))
  const results: CheckResult[] = []
  const work = async (): Promise<void> => {
    const next = waiting.shift()
    if (!next) return
    const result = await run(next.check)
    results[next.index] = result
    onResult(result)
    await work()
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return results
}

export function printCheck({ name, passed, ms, output }: CheckResult): void {
  console.log(`${passed ? '✓' : '✗'} ${name} (${(ms / 1000).toFixed(1)} s)`)
  if (!passed) console.log(output.trim().replaceAll(/^/gm, '  '))
}

function run({ name, args }: Check): Promise<CheckResult> {
  const started = performance.now()
  const { promise, resolve } = Promise.withResolvers<CheckResult>()
  const end = (passed: boolean, output: string) =>
    resolve({ name, passed, ms: Math.round(performance.now() - started), output })
  if (!existsSync(join(root, args[0] ?? ''))) {
    end(false, `${args[0]} is missing`)
    return promise
  }
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.on('error', (error) => end(false, error.message))
  child.on('close', (code) => end(code === 0, output))
  return promise
}

if (import.meta.main) {
  const started = performance.now()
  const results = await runChecks(printCheck)
  const failed = results.filter(({ passed }) => !passed).length
  console.log(
    `${results.length - failed} passed, ${failed} failed (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  )
  process.exitCode = failed > 0 ? 1 : 0
}
