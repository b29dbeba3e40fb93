import { isDeepStrictEqual } from 'node:util'
import { parentPort, workerData } from 'node:worker_threads'
import { Connection } from './connection.ts'
import { failureOf } from './failure.ts'
import type { Answer, FailureData, Request, Rows, Statement, ThreadOptions } from './messages.ts'

/**
 * Group commit. Units (single statements and logical transactions) share one physical transaction: a logical one is a
 * savepoint in it. Nobody is told that a unit is done before the physical commit has returned, and the physical commit
 * happens as soon as nothing more is waiting, or the batch is old or large.
 */
const batchAgeMs = 5
const batchUnits = 64
const constraintCode = 19
/** How long, and for how many statements, an open transaction may keep those waiting that share its physical one. */
const sharingMs = 20
const sharedStatements = 64
const rolledBack: FailureData = { message: 'the transaction was rolled back by the database', busy: true }
const readOnlyAnswer: Rows = { columns: [], rows: [], changes: null, lastId: null }

if (!parentPort) throw new Error('the writer runs as a thread')
const port = parentPort
const connection = new Connection(workerData as ThreadOptions)
const { database } = connection

/**
 * Answers that wait for the physical commit. Done: it is told that what it did is durable. Undone: a refusal or a
 * rollback, which may rest on a row that somebody else in the batch has written and that nobody else can see yet.
 */
type Waiting = { kind: 'done' | 'undone'; answer: Answer }
let waiting: Waiting[] = []
let inBatch = false
let batchBegan = 0
let openUnit = 0
/** The main side said that another transaction is about to begin: worth waiting for. */
let moreComes = false
let physicalCommits = 0
/** What the open transaction has done, kept while others wait for the same physical commit. */
let history: { statement: Statement; outcome: Rows | FailureData }[] | null = null
let sharing: NodeJS.Timeout | undefined

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
    for (const { kind, answer } of answers) send(kind === 'done' ? { ...answer, commits: physicalCommits } : answer)
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    refuse(answers, failureOf(error))
  }
}

function refuse(answers: Waiting[], failure: FailureData): void {
  for (const { kind, answer } of answers) {
    // A rollback is what has happened now anyway; a refusal has lost its reason and may be tried again.
    if (kind === 'undone' && 'rows' in answer) send(answer)
    else send({ id: answer.id, failure: kind === 'undone' ? rolledBack : failure })
  }
}

function sendUndone(answer: Answer): void {
  if (inBatch && waiting.length > 0) waiting.push({ kind: 'undone', answer })
  else send(answer)
}

/**
 * SQLite rolls everything back by itself when the disk is full or fails, or when a statement says `or rollback`: then
 * nothing of the batch is stored. A violated constraint was not the fault of the others: they may try again.
 */
function batchWasLost(failure: FailureData): boolean {
  if (!inBatch || database.isTransaction) return false
  inBatch = false
  closeTransaction()
  const answers = waiting
  waiting = []
  const others =
    ((failure.errcode ?? 0) & 0xff) === constraintCode
      ? { message: 'another transaction rolled this one back', busy: true }
      : failure
  refuse(answers, others)
  return true
}

function run(request: Extract<Request, { kind: 'run' }>): void {
  try {
    beginBatch()
    if (request.begin) {
      openTransaction(request.unit)
    } else if (request.unit !== openUnit) {
      send({ id: request.id, failure: rolledBack })
      return
    }
    const rows = connection.run(request.statement)
    history?.push({ statement: request.statement, outcome: rows })
    if (request.unit === 0) waiting.push({ kind: 'done', answer: { id: request.id, rows } })
    else send({ id: request.id, rows })
  } catch (error) {
    const failure = failureOf(error)
    history?.push({ statement: request.statement, outcome: failure })
    batchWasLost(failure)
    if (request.unit === 0) sendUndone({ id: request.id, failure })
    else send({ id: request.id, failure })
  }
  if (history && history.length >= sharedStatements) stopSharing()
}

function openTransaction(unit: number): void {
  database.exec('savepoint unit')
  openUnit = unit
  if (waiting.length === 0) return
  history = []
  sharing = setTimeout(stopSharing, sharingMs)
}

function closeTransaction(): void {
  openUnit = 0
  history = null
  clearTimeout(sharing)
}

/**
 * Those who wait for the physical commit must not wait for a transaction that takes its time: it might even wait for
 * one of them. It is undone, they are committed, and it is done again; if it does not go the same way again (another
 * process wrote in between), it is rolled back.
 */
function stopSharing(): void {
  const done = history ?? []
  const unit = openUnit
  closeTransaction()
  database.exec('rollback to unit')
  commitBatch()
  try {
    beginBatch()
    openTransaction(unit)
    if (done.every(({ statement, outcome }) => isDeepStrictEqual(outcomeOf(statement), outcome))) return
  } catch {
    // The other process holds the database now: the transaction is lost.
  }
  closeTransaction()
  if (database.isTransaction) database.exec('rollback')
  inBatch = false
}

function outcomeOf(statement: Statement): Rows | FailureData {
  try {
    return connection.run(statement)
  } catch (error) {
    return failureOf(error)
  }
}

function end(request: Extract<Request, { kind: 'commit' | 'rollback' }>): void {
  moreComes = request.more
  if (request.unit !== openUnit) {
    if (request.kind === 'rollback') send({ id: request.id, rows: readOnlyAnswer })
    else send({ id: request.id, failure: rolledBack })
    return
  }
  closeTransaction()
  try {
    if (request.kind === 'rollback') {
      database.exec('rollback to unit')
      database.exec('release unit')
      sendUndone({ id: request.id, rows: readOnlyAnswer })
    } else {
      database.exec('release unit')
      waiting.push({ kind: 'done', answer: { id: request.id, rows: readOnlyAnswer } })
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
    // A transaction that nobody will finish now must not be stored by the commit of the others.
    if (inBatch && openUnit !== 0) database.exec('rollback to unit')
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
