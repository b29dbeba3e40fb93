import { parentPort, workerData } from 'node:worker_threads'
import { Connection, failureOf } from './connection.ts'
import type { Answer, FailureData, Request, Rows, ThreadOptions } from './messages.ts'

/**
 * Group commit. Units (single statements and logical transactions) share one physical transaction: a logical one is a
 * savepoint in it. Nobody is told that a unit is done before the physical commit has returned, and the physical commit
 * happens as soon as nothing more is waiting, or the batch is old or large.
 */
const batchAgeMs = 5
const batchUnits = 64
const readOnlyAnswer: Rows = { columns: [], rows: [], changes: null, lastId: null }

if (!parentPort) throw new Error('the writer runs as a thread')
const port = parentPort
const connection = new Connection(workerData as ThreadOptions)
const { database } = connection

type Acknowledged = Extract<Answer, { rows: Rows }>

/** Done in the open physical transaction, to be answered when it has committed. */
let waiting: Acknowledged[] = []
let inBatch = false
let batchBegan = 0
let openUnit = 0
/** The main side said that another transaction is about to begin: worth waiting for. */
let moreComes = false
let physicalCommits = 0

const send = (answer: Answer) => port.postMessage(answer)

function beginBatch(): void {
  if (inBatch) return
  database.exec('begin immediate')
  inBatch = true
  batchBegan = performance.now()
}

function commitBatch(): void {
  if (!inBatch) return
  inBatch = false
  moreComes = false
  const answers = waiting
  waiting = []
  try {
    database.exec('commit')
    physicalCommits += 1
    for (const answer of answers) send({ ...answer, commits: physicalCommits })
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    refuse(answers, failureOf(error))
  }
}

function refuse(answers: Acknowledged[], failure: FailureData): void {
  for (const { id } of answers) send({ id, failure })
}

/** SQLite rolls everything back by itself when the disk is full or fails: then nothing of the batch is stored. */
function batchWasLost(failure: FailureData): boolean {
  if (!inBatch || database.isTransaction) return false
  inBatch = false
  openUnit = 0
  const answers = waiting
  waiting = []
  refuse(answers, failure)
  return true
}

function run(request: Extract<Request, { kind: 'run' }>): void {
  try {
    beginBatch()
    if (request.begin) {
      database.exec('savepoint unit')
      openUnit = request.unit
    } else if (request.unit !== openUnit) {
      throw new Error('the transaction was rolled back by the database')
    }
    const rows = connection.run(request.statement)
    if (request.unit === 0) waiting.push({ id: request.id, rows })
    else send({ id: request.id, rows })
  } catch (error) {
    const failure = failureOf(error)
    batchWasLost(failure)
    send({ id: request.id, failure })
  }
}

function end(request: Extract<Request, { kind: 'commit' | 'rollback' }>): void {
  moreComes = request.more
  if (request.unit !== openUnit) {
    if (request.kind === 'rollback') send({ id: request.id, rows: readOnlyAnswer })
    else send({ id: request.id, failure: { message: 'the transaction was rolled back by the database' } })
    return
  }
  openUnit = 0
  try {
    if (request.kind === 'rollback') {
      database.exec('rollback to unit')
      database.exec('release unit')
      send({ id: request.id, rows: readOnlyAnswer })
    } else {
      database.exec('release unit')
      waiting.push({ id: request.id, rows: readOnlyAnswer })
    }
  } catch (error) {
    const failure = failureOf(error)
    if (!batchWasLost(failure) && database.isTransaction) {
      database.exec('rollback to unit')
      database.exec('release unit')
    }
    send({ id: request.id, failure })
  }
}

function handle(request: Request): void {
  if (request.kind === 'run') run(request)
  else if (request.kind === 'commit' || request.kind === 'rollback') end(request)
  else if (request.kind === 'close') {
    commitBatch()
    connection.close()
    send({ id: request.id, closed: true })
    port.close()
  }
}

const batchIsFull = () => waiting.length >= batchUnits || performance.now() - batchBegan > batchAgeMs

let settling = false

/** After all messages that had arrived: waits for the transaction that was announced, or commits what there is. */
function settle(): void {
  settling = false
  if (!inBatch || openUnit !== 0) return
  if (moreComes && !batchIsFull()) settleLater()
  else commitBatch()
}

function settleLater(): void {
  if (settling) return
  settling = true
  setImmediate(settle)
}

port.on('message', (request: Request) => {
  handle(request)
  if (inBatch && openUnit === 0 && batchIsFull()) commitBatch()
  else settleLater()
})
