import { createHash } from 'node:crypto'
import { Agent, createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export type Proxy = { url: string; close: () => Promise<void> }

const idempotent = new Set(['GET', 'PUT', 'DELETE'])
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One address before several servers, as an operator's proxy is: in turns, the dead skipped, what may be repeated repeated. */
export async function startProxy(upstreams: readonly string[]): Promise<Proxy> {
  let turn = 0
  const inTurn = (first: number) => upstreams.map((_, at) => upstreams[(first + at) % upstreams.length] ?? '')
  const orderFor = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://proxy')
    const isAlone = searchParams.get('transport') === 'websocket' && !searchParams.has('sid')
    const isSticky = pathname.startsWith('/socket.io') && !isAlone
    return inTurn(isSticky ? hashOf(searchParams.get('Authorization') ?? '') : (turn += 1))
  }
  const server = createServer((request, response) => void passOn(request, response, orderFor(request.url ?? '')))
  const sockets = new Set<Duplex>()
  server.on('upgrade', (request: IncomingMessage, near: Socket, head: Buffer) => {
    sockets.add(near)
    near.on('close', () => sockets.delete(near))
    void tunnel(request, near, head, orderFor(request.url ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest().readUInt32BE()

async function passOn(request: IncomingMessage, response: ServerResponse, order: readonly string[]): Promise<void> {
  const mayRepeat = idempotent.has(request.method ?? '')
  try {
    const body = await buffer(request)
    for (const upstream of order) {
      const answer = await ask(upstream, request, response, body).catch((error: NodeJS.ErrnoException) => error)
      if (answer instanceof Error) {
        // Refused at the door: nothing was sent, so anything may be sent elsewhere.
        if (mayRepeat || answer.code === 'ECONNREFUSED') continue
        break
      }
      if (answer.statusCode === 503 && mayRepeat && upstream !== order.at(-1)) {
        answer.resume()
        continue
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
      return
    }
    response.writeHead(502).end()
  } catch {
    response.destroy()
  }
}

function ask(upstream: string, request: IncomingMessage, response: ServerResponse, body: Buffer) {
  const { connection: _own, 'transfer-encoding': _encoding, ...rest } = request.headers
  const headers = { ...rest, 'x-forwarded-for': request.socket.remoteAddress, 'content-length': body.length }
  return new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(upstream + request.url, { agent, method: request.method, headers }, resolve)
    outgoing.on('error', reject)
    response.on('close', () => response.writableFinished || outgoing.destroy())
    outgoing.end(body)
  })
}

async function tunnel(request: IncomingMessage, near: Socket, head: Buffer, order: readonly string[]): Promise<void> {
  near.on('error', () => near.destroy())
  for (const upstream of order) {
    const far = await reach(upstream)
    if (!far) continue
    const lines = [`${request.method} ${request.url} HTTP/1.1`]
    for (let at = 0; at < request.rawHeaders.length; at += 2) {
      lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`)
    }
    far.write(`${lines.join('\r\n')}\r\n\r\n`)
    far.write(head)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
    return
  }
  near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
}

function reach(upstream: string): Promise<Socket | null> {
  const { hostname, port } = new URL(upstream)
  return new Promise((resolve) => {
    const far: Socket = connect(Number(port), hostname, () => resolve(far))
    far.once('error', () => resolve(null))
  })
}
