import { contains } from '../../db/contains.ts'
import type { ReadDb } from '../../db/store.ts'
import { notFound } from '../../http/app-error.ts'
import { userColumns, type UserRow } from './present.ts'

export type UserFilter = {
  text?: string | undefined
  state?: 'active' | 'disabled' | undefined
  subjectId?: string | undefined
}

function filtered(db: ReadDb, filter: UserFilter) {
  let query = db.selectFrom('userAccount').where('state', '!=', 'removed')
  const { text, state, subjectId } = filter
  if (state) query = query.where('state', '=', state)
  if (text) {
    query = query.where((where) => where.or([contains(where.ref('name'), text), contains(where.ref('phone'), text)]))
  }
  if (subjectId) {
    query = query.where((where) =>
      where.or([
        where('id', 'in', where.selectFrom('userSubject').select('userId').where('subjectId', '=', subjectId)),
        where('id', 'in', where.selectFrom('teaching').select('userId').where('subjectId', '=', subjectId)),
      ]),
    )
  }
  return query
}

export async function selectUserPage(
  db: ReadDb,
  filter: UserFilter,
  page: number,
  size: number,
): Promise<{ rows: UserRow[]; total: number }> {
  const [rows, counted] = await Promise.all([
    filtered(db, filter)
      .select(userColumns)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute(),
    filtered(db, filter)
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow(),
  ])
  return { rows, total: counted.total }
}

export async function selectActiveNames(
  db: ReadDb,
  text: string | undefined,
): Promise<{ id: string; name: string; avatar: string | null }[]> {
  return filtered(db, { text, state: 'active' }).select(['id', 'name', 'avatar']).orderBy('name').limit(2000).execute()
}

export async function selectUser(db: ReadDb, id: string): Promise<UserRow> {
  const row = await selectOptionalUser(db, id)
  if (!row) throw notFound()
  return row
}

async function selectOptionalUser(db: ReadDb, id: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('userAccount')
    .select(userColumns)
    .where('id', '=', id)
    .where('state', '!=', 'removed')
    .executeTakeFirst()
  return row ?? null
}
