import { insertAudit, type AuditActor, type AuditEntry } from './audit.ts'
import { inSchool, type Db, type Store } from './store.ts'

/** What waits until the change is durable: telling sockets, waking workers. */
export type After = (run: () => void) => void

/**
 * The one way to change what a school stores: the work and its audit entry are one transaction.
 * What the work registers with `after` runs once it has committed, and never when it has not. What fails there cannot
 * undo the change any more, so it neither makes the change look refused nor keeps the others from running.
 */
export async function change<T>(
  store: Store,
  schoolId: string,
  actor: AuditActor,
  entry: AuditEntry | ((result: T) => AuditEntry),
  work: (db: Db, after: After) => Promise<T>,
): Promise<T> {
  const later: (() => void)[] = []
  const result = await store.everySchool.transaction().execute(async (transaction) => {
    const db = inSchool(transaction, schoolId)
    const answer = await work(db, (run) => later.push(run))
    await insertAudit(db, actor, typeof entry === 'function' ? entry(answer) : entry, Date.now())
    return answer
  })
  for (const run of later) {
    try {
      run()
    } catch (error) {
      process.emitWarning(error instanceof Error ? error : String(error))
    }
  }
  return result
}
