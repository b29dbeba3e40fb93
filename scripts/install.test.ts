import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectedPackages, explain, isWhatTheLockfileSays, type Lockfile } from './install-plan.mjs'
import { ensureInstalled, isInstalled, writeMarker } from './install.mjs'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'install-'))
  await mkdir(join(root, 'node_modules'))
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: {} }))
})
afterEach(() => rm(root, { recursive: true }))

test('without a marker nothing is installed', () => {
  expect(isInstalled(root, 'production')).toBe(false)
})

test('a full install serves production, not the other way round', () => {
  writeMarker(root, 'production')
  expect([isInstalled(root, 'production'), isInstalled(root, 'all')]).toEqual([true, false])
  writeMarker(root, 'all')
  expect([isInstalled(root, 'production'), isInstalled(root, 'all')]).toEqual([true, true])
})

test('another lockfile, or half a marker, asks for a new install', async () => {
  writeMarker(root, 'all')
  await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: {}, changed: true }))
  expect(isInstalled(root, 'all')).toBe(false)
  await writeFile(join(root, 'node_modules/.installed.json'), '{"lock":')
  expect(isInstalled(root, 'all')).toBe(false)
})

const lock: Lockfile = {
  packages: {
    '': {},
    'apps/server': { version: '1.0.0' },
    'node_modules/@console/server': { link: true },
    'node_modules/always': { version: '1.0.0', integrity: 'a' },
    'node_modules/tool': { version: '1.0.0', integrity: 't', dev: true },
    'node_modules/here': {
      version: '1.0.0',
      integrity: 'h',
      optional: true,
      os: process.platform,
      cpu: [process.arch],
    },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'], cpu: ['ppc64'] },
    'node_modules/not-here': { version: '1.0.0', optional: true, os: [`!${process.platform}`] },
    'node_modules/perhaps': { version: '1.0.0', optional: true },
  },
}

test('what belongs on this machine', () => {
  expect(expectedPackages(lock, 'production')).toEqual(['node_modules/always', 'node_modules/here'])
  expect(expectedPackages(lock, 'all')).toEqual(['node_modules/always', 'node_modules/tool', 'node_modules/here'])
})

test('an install by hand is taken as it is when it is what the lockfile says', async () => {
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock))
  await writeFile(join(root, 'node_modules/.package-lock.json'), JSON.stringify(lock))
  for (const name of ['always', 'tool', 'here']) {
    await mkdir(join(root, 'node_modules', name))
    await writeFile(join(root, 'node_modules', name, 'package.json'), '{}')
  }
  expect(await ensureInstalled(root, 'production')).toBe(false)
  expect(isInstalled(root, 'all')).toBe(true)

  const other = structuredClone(lock)
  other.packages['node_modules/always'] = { version: '0.9.0', integrity: 'b' }
  expect(isWhatTheLockfileSays(root, lock, other, 'production')).toBe(false)
  await rm(join(root, 'node_modules/here'), { recursive: true })
  expect(isWhatTheLockfileSays(root, lock, lock, 'production')).toBe(false)
})

test.each([
  ['npm error code ENOTFOUND\nnpm error getaddrinfo', 'check the network'],
  ['npm error code ENOSPC', 'The disk is full'],
  ['npm error code EUSAGE\nnpm error\nnpm error Missing: a@1.0.0 from lock file', 'differ: run npm install'],
  ['npm error something new', 'The installation failed'],
])('%s: what to do', (output, advice) => {
  const said = explain(`npm warn old\n${output}\nnpm error A complete log of this run can be found in: x`)
  expect(said).toContain(advice)
  expect(said).toContain(output.split('\n')[0])
  expect(said).not.toMatch(/complete log|npm warn/)
})
