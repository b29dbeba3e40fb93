import { stat } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import compile from 'icu-minify/compile'
import type { Plugin } from 'vite'

const phraseModule = /packages[\\/]phrases[\\/]src[\\/](?:zh-cn|en-us)[\\/][\w-]+\.ts$/

function compileLeaves(value: unknown): unknown {
  if (typeof value === 'string') return compile(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, compileLeaves(item)]))
}

async function compiledModule(file: string): Promise<string> {
  const { mtimeMs } = await stat(file)
  const groups = (await import(`${pathToFileURL(file).href}?at=${mtimeMs}`)) as Record<string, unknown>
  const exported = Object.entries(groups).map(
    ([name, group]) => `export const ${name} = ${JSON.stringify(compileLeaves(group))}`,
  )
  return exported.join('\n')
}

/** Messages are parsed when the console is built, so that the parser (13 KB gzipped) is not part of the first load. */
export function compilePhrases(): Plugin {
  return {
    name: 'compile-phrases',
    enforce: 'pre',
    config: () => ({ resolve: { alias: { 'use-intl/format-message': 'use-intl/format-message/format-only' } } }),
    load: (id) => (phraseModule.test(id) ? compiledModule(id.startsWith('file:') ? fileURLToPath(id) : id) : null),
  }
}
