import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Row } from './row.ts'

export const area = 'install'

const root = join(import.meta.dirname, '..')
const runtime = `node-linux-${process.arch}`

/** As little as any of ours can be: the runtime alone, which every installation brings along. */
async function writeRuntimeAlone(folder: string): Promise<void> {
  const { optionalDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const dependencies = { [runtime]: optionalDependencies[runtime] }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'alone', version: '1.0.0', dependencies }))
  await copyFile(join(root, '.npmrc'), join(folder, '.npmrc'))
}

async function copyManifests(folder: string): Promise<void> {
  const names = ['package.json', 'package-lock.json', '.npmrc']
  for await (const name of glob(['apps/*/package.json', 'packages/*/package.json'], { cwd: root })) names.push(name)
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await copyFile(join(root, name), join(folder, name))
  }
}

async function runIn(cwd: string, file: string, args: readonly string[]): Promise<string> {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} ended with ${code}:\n${output}`)
  return output
}

async function measure(prepare: (folder: string) => Promise<void>, args: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'bench-install-'))
  try {
    await prepare(folder)
    const began = performance.now()
    await runIn(folder, 'npm', args)
    const seconds = (performance.now() - began) / 1000
    const mb = Number.parseInt(await runIn(folder, 'du', ['-sm', 'node_modules']), 10)
    return { seconds, mb }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function run(): Promise<Row[]> {
  // Of the same run, so that both find npm's cache and the registry in the same state.
  const peer = await measure(writeRuntimeAlone, ['install', '--no-package-lock'])
  const ours = await measure(copyManifests, ['ci', '--omit=dev', '--include=optional'])
  const row = (name: string, own: number, other: number, unit: string): Row => {
    const rounded = (value: number) => Number(value.toPrecision(3))
    return { name: `${area}/${name}`, ours: rounded(own), peer: rounded(other), ratio: rounded(own / other), unit }
  }
  return [row('mb', ours.mb, peer.mb, 'MB'), row('s', ours.seconds, peer.seconds, 's')]
}

if (import.meta.main) console.table(await run())
