import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const folder = fileURLToPath(new URL('../../../web/dist', import.meta.url))

/** The built console. Names in assets/ carry a hash of their content and never change; the page itself is always asked for. */
export async function registerConsole(app: FastifyInstance): Promise<void> {
  if (!existsSync(folder)) return
  await app.register(fastifyStatic, {
    root: folder,
    index: ['index.html'],
    dotfiles: 'ignore',
    // Looked up at each request: a new build is swapped in while the server runs.
    wildcard: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const isAsset = /[\\/]assets[\\/]/.test(path)
      void reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
