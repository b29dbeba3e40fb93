import type { Store } from '../db/store.ts'

export async function countJobsByState(store: Store): Promise<{ state: string; count: number }[]> {
  const rows = await store.everySchool
    .selectFrom('job')
    .select((select) => ['state', select.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute()
  return rows.map(({ state, count }) => ({ state, count: Number(count) }))
}
