import type { Store } from '../../db/store.ts'
import { AppError } from '../../http/app-error.ts'

export type FoundAccount = {
  schoolId: string
  userId: string
  passwordHash: string | null
  state: 'active' | 'disabled' | 'removed'
}

/** Over all schools: the name is what somebody signs in with, before a school is known. */
export async function selectOptionalAccount(store: Store, kind: string, name: string): Promise<FoundAccount | null> {
  const row = await store.everySchool
    .selectFrom('signInName as n')
    .innerJoin('userAccount as u', (join) => join.onRef('u.schoolId', '=', 'n.schoolId').onRef('u.id', '=', 'n.userId'))
    .select(['n.schoolId', 'n.userId', 'u.passwordHash', 'u.state'])
    .where('n.kind', '=', kind)
    .where('n.name', '=', name)
    .executeTakeFirst()
  return row ?? null
}

/** Said only to somebody who has proven who they are, so that it tells a stranger nothing. */
export function demandActive(account: FoundAccount): FoundAccount {
  if (account.state !== 'active') throw new AppError('auth.accountDisabled')
  return account
}
