import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { build } from 'vite'

/** A process of its own, so that the bundler's memory goes away with it. */
const web = join(import.meta.dirname, '../apps/web')
const target = process.argv[2]
if (!target || relative(join(web, '.cache'), target).startsWith('..'))
  throw new Error('the target lies in apps/web/.cache')

try {
  await build({
    root: web,
    logLevel: 'warn',
    build: { outDir: target, emptyOutDir: true, reportCompressedSize: false },
  })
} catch (error) {
  await rm(target, { recursive: true, force: true })
  throw error
}
