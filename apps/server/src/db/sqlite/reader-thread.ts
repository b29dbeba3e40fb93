import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { failureOf } from './failure.ts'
import type { Answer, Request, Rows, SqlValue, ThreadOptions } from './messages.ts'

if (!parentPort) throw new Error('a reader runs as a thread')
const port = parentPort
const connection = new Connection(workerData as ThreadOptions)
const nothing: Rows = { columns: [], rows: [], changes: null, lastId: null }

type Stream = { columns: string[]; rows: Iterator<SqlValue[]>; chunk: number }
const streams = new Map<number, Stream>()

function nextChunk(stream: Stream): { rows: Rows; done: boolean } {
  const rows: SqlValue[][] = []
  let done = false
  while (rows.length < stream.chunk && !done) {
    const step = stream.rows.next()
    if (step.done) done = true
    else rows.push(step.value)
  }
  return { rows: { columns: stream.columns, rows, changes: null, lastId: null }, done }
}

/** A reader that died took its snapshot along; its successor must not answer from a later state. */
function assertSnapshot(unit: number): void {
  if (unit !== 0 && !connection.database.isTransaction) throw new Error('the snapshot was lost with its thread')
}

function answer(request: Request): Answer {
  switch (request.kind) {
    case 'run':
      assertSnapshot(request.unit)
      return { id: request.id, rows: connection.run(request.statement) }
    case 'snapshot':
      if (request.end) {
        if (connection.database.isTransaction) connection.database.exec('commit')
        return { id: request.id, rows: nothing }
      }
      connection.database.exec('begin')
      // A deferred transaction takes its snapshot with the first read; ask for it now, not when somebody gets to it.
      connection.database.prepare('select 1 from sqlite_schema limit 1').all()
      return { id: request.id, rows: nothing }
    case 'open-stream':
      assertSnapshot(request.unit)
      streams.set(request.id, { ...connection.iterate(request.statement), chunk: request.chunk })
      return { id: request.id, rows: nothing }
    case 'next-chunk': {
      const stream = streams.get(request.stream)
      if (!stream) return { id: request.id, rows: nothing, done: true }
      const { rows, done } = nextChunk(stream)
      if (done) streams.delete(request.stream)
      return { id: request.id, rows, done }
    }
    case 'close-stream':
      streams.get(request.stream)?.rows.return?.()
      streams.delete(request.stream)
      return { id: request.id, rows: nothing }
    case 'close':
      connection.close()
      return { id: request.id, closed: true }
    case 'commit':
    case 'rollback':
      return { id: request.id, failure: { message: `a reader does not ${request.kind}` } }
  }
}

port.on('message', (request: Request) => {
  try {
    port.postMessage(answer(request))
  } catch (error) {
    port.postMessage({ id: request.id, failure: failureOf(error) } satisfies Answer)
  }
  if (request.kind === 'close') port.close()
})
