import { connect, type Socket } from 'node:net'
import { parentPort, Worker, workerData } from 'node:worker_threads'

export type LoadOptions = {
  url: string
  headers: Record<string, string>
  connections: number
  /** Until so many milliseconds are over or so many calls are answered, whichever comes first. */
  ms: number
  calls: number
}
export type LoadResult = { perSecond: number; p50: number; p99: number; calls: number; failed: number }

/** From a thread of its own, by a client that does next to nothing: the server is what is measured. */
export function load(options: Partial<LoadOptions> & { url: string }): Promise<LoadResult> {
  const whole: LoadOptions = { headers: {}, connections: 16, ms: 4000, calls: Infinity, ...options }
  const worker = new Worker(new URL(import.meta.url), { workerData: whole })
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

async function measure({ url, headers, connections, ms, calls }: LoadOptions): Promise<LoadResult> {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
  const times: number[] = []
  let failed = 0
  let begun = 0
  const began = performance.now()
  const work = async () => {
    const socket = connect(Number(port), hostname)
    socket.setNoDelay(true)
    while (performance.now() - began < ms && begun < calls) {
      begun += 1
      const asked = performance.now()
      if ((await answerTo(socket, request)) !== 200) failed += 1
      times.push(performance.now() - asked)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), calls: times.length, failed }
}

/** Our server says how long each answer is; nothing else has to be understood. */
function answerTo(socket: Socket, request: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let wanted = Infinity
    let size = 0
    const end = () => socket.off('data', read).off('error', reject).off('close', cut)
    const cut = () => reject(new Error('the connection was cut'))
    const read = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (wanted === Infinity) wanted = lengthOf(Buffer.concat(chunks))
      if (size < wanted) return
      end()
      resolve(Number((chunks[0] ?? Buffer.alloc(0)).subarray(9, 12)))
    }
    socket.on('data', read).on('error', reject).on('close', cut)
    socket.write(request)
  })
}

function lengthOf(bytes: Buffer): number {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return Infinity
  const length = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, headEnd))?.[1]
  if (length === undefined) throw new Error('an answer without a length')
  return headEnd + 4 + Number(length)
}

if (parentPort && workerData) parentPort.postMessage(await measure(workerData as LoadOptions))
