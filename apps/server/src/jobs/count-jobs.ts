import type { Store } from '../db/store.ts'

export function countJobsByState(store: Store): Promise<{ state: string; count: number }[]> {
  return store.everySchool
    .selectFrom('job')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
}
