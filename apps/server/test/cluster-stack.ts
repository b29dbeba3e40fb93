import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import S3rver from 's3rver'
import { endAllCommands, nodeFile, startServerProcess, type ServerProcess } from './cluster-process.ts'
import { startProxy, type Proxy } from './cluster-proxy.ts'

export const databaseUrl = process.env['TEST_DATABASE_URL']
export const redisUrl = process.env['TEST_REDIS_URL']

export type NodeName = 'one' | 'two'
export type Stack = {
  env: Record<string, string>
  proxy: Proxy
  nodes: Record<NodeName, ServerProcess>
  restart: (name: NodeName) => Promise<void>
  close: () => Promise<void>
}

async function onServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** Two servers that begin at the same moment on an empty database, with their files in one store, behind one address. */
export async function startStack(): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'console-cluster-'))
  const name = `console_${randomBytes(8).toString('hex')}`
  await onServer(`create database ${name}`)
  const database = new URL(databaseUrl ?? '')
  database.pathname = `/${name}`
  const objects = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 'objects'),
    configureBuckets: [{ name: 'console', configs: [] }],
  })
  const { port } = await objects.run()
  const env = {
    DATABASE_URL: database.href,
    REDIS_URL: redisUrl ?? '',
    OBJECTS_URL: `http://S3RVER:S3RVER@127.0.0.1:${port}/console`,
    SECRET: randomBytes(32).toString('hex'),
    TRUST_PROXY: '1',
    ENV_TYPE: 'test',
  }
  const start = (node: NodeName, at = '0') =>
    startServerProcess(nodeFile, { ...env, NODE_NAME: node, DATA_DIR: join(folder, node), PORT: at })
  const [one, two] = await Promise.all([start('one'), start('two')])
  const nodes = { one, two }
  const proxy = await startProxy([one.url, two.url])
  return {
    env: { ...env, DATA_DIR: join(folder, 'admin') },
    proxy,
    nodes,
    async restart(node) {
      nodes[node] = await start(node, nodes[node].port)
    },
    async close() {
      await proxy.close()
      await endAllCommands()
      await objects.close()
      await onServer(`drop database if exists ${name} with (force)`)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
