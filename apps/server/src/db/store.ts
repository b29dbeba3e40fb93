import { Kysely, sql, type Dialect, type Transaction } from 'kysely'
import type { Engine } from './columns.ts'
import { columnPlugins } from './codec.ts'
import { migrate } from './migrate.ts'
import type { Database } from './schema.ts'
import { SchoolScope } from './school-scope.ts'

export type Db = Kysely<Database>
/** What a reader may do: nothing on it changes a row. */
export type ReadDb = Pick<Db, 'selectFrom' | 'with' | 'fn' | 'selectNoFrom' | 'dynamic'>

export type Store = {
  engine: Engine
  /** Over all schools: for sign-in, jobs and housekeeping, which come before a school is known. A wall keeps it there. */
  everySchool: Db
  /** The same database as one school sees it. */
  school: (schoolId: string) => Db
  /** Throws when the database does not answer. */
  ping: () => Promise<void>
  close: () => Promise<void>
}

export async function openStore(
  engine: Engine,
  dialect: Dialect,
  onMigrated?: (names: string[]) => void,
): Promise<Store> {
  const everySchool = new Kysely<Database>({ dialect, plugins: columnPlugins() })
  try {
    const done = await migrate(everySchool, engine)
    if (done.length > 0) onMigrated?.(done)
  } catch (error) {
    await everySchool.destroy()
    throw error
  }
  return {
    engine,
    everySchool,
    school: (schoolId) => inSchool(everySchool, schoolId),
    ping: async () => void (await sql`select 1`.execute(everySchool)),
    close: () => everySchool.destroy(),
  }
}

export function inSchool<T extends Db | Transaction<Database>>(db: T, schoolId: string): T {
  return db.withPlugin(new SchoolScope(schoolId)) as T
}
