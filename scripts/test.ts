import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureConsoleBuilt } from './build.ts'
import { printCheck, runChecks, type CheckResult } from './check.ts'
import { countReport, type Count, type Report } from './count.ts'

const root = join(import.meta.dirname, '..')

async function buildAsCheck(): Promise<CheckResult> {
  const started = performance.now()
  const end = (passed: boolean, output: string) => ({
    name: 'build',
    passed,
    ms: Math.round(performance.now() - started),
    output,
  })
  try {
    await ensureConsoleBuilt((message) => console.log(message))
    return end(true, '')
  } catch (error) {
    return end(false, error instanceof Error ? error.message : String(error))
  }
}

function runVitest(filters: string[], reportPath: string): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportPath}`]
  const args = [
    '--disable-warning=ExperimentalWarning',
    'node_modules/vitest/vitest.mjs',
    'run',
    ...reporters,
    ...filters,
  ]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  child.on('error', reject)
  child.on('close', (code) => resolve(code ?? 1))
  return promise
}

async function test(filters: string[]): Promise<Count> {
  const folder = await mkdtemp(join(tmpdir(), 'console-test-'))
  const reportPath = join(folder, 'report.json')
  try {
    const exitCode = await runVitest(filters, reportPath)
    const text = await readFile(reportPath, 'utf8').catch(() => 'null')
    return countReport(JSON.parse(text) as Report | null, exitCode)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function saysWhatStoodIn(): string[] {
  return [
    process.env['TEST_DATABASE_URL']
      ? 'PostgreSQL: real one at TEST_DATABASE_URL'
      : 'PostgreSQL: PGlite stood in (set TEST_DATABASE_URL for a real one)',
    process.env['TEST_REDIS_URL']
      ? 'Redis: real one at TEST_REDIS_URL'
      : 'Redis: one process stood in (set TEST_REDIS_URL for a real one)',
  ]
}

// A Ctrl-C reaches the children by themselves; this process stays to count what they left.
process.on('SIGINT', () => {})

const build = await buildAsCheck()
printCheck(build)
const checks = [build, ...(await runChecks(printCheck))]
const count = await test(process.argv.slice(2))
const passed = checks.filter((check) => check.passed).length + count.passed
const failed = checks.filter((check) => !check.passed).length + count.failed
for (const check of checks) if (!check.passed) console.log(`✗ ${check.name}`)
for (const line of saysWhatStoodIn()) console.log(line)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
