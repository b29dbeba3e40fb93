import type { Db } from './store.ts'
import { newId } from './ids.ts'

export type AuditEntry = {
  action: string
  targetKind: string
  targetId: string
  data?: Record<string, unknown>
}
export type AuditActor = { userId: string | null; requestId: string; address: string }

/** Called inside the transaction of the change, on its handle: both commit together or neither does. */
export async function insertAudit(db: Db, actor: AuditActor, entry: AuditEntry, now: number): Promise<void> {
  await db
    .insertInto('audit')
    .values({
      id: newId(),
      at: now,
      userId: actor.userId,
      action: entry.action,
      targetKind: entry.targetKind,
      targetId: entry.targetId,
      dataJson: entry.data ?? {},
      requestId: actor.requestId,
      address: actor.address,
    })
    .execute()
}
