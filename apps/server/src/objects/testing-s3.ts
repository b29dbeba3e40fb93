import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The package has no types; this is what we use of it. */
type S3rver = new (options: {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: { name: string }[]
}) => {
  run: () => Promise<AddressInfo>
  close: () => Promise<void>
}

/** An S3 of its own over a folder of its own, for a test. */
export async function startS3(): Promise<{ url: string; close: () => Promise<void> }> {
  const Server = createRequire(import.meta.url)('s3rver') as S3rver
  const directory = await mkdtemp(join(tmpdir(), 'console-s3-'))
  const server = new Server({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'files' }],
  })
  const { port } = await server.run()
  return {
    url: `http://S3RVER:S3RVER@127.0.0.1:${port}/files?region=us-east-1`,
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
