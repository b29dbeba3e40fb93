import type { Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Engine } from './columns.ts'
import { ground } from './migrations/001-ground.ts'
import type { Database } from './schema.ts'

type Step = (db: Kysely<never>, engine: Engine) => Promise<void>

/** In the order in which they run; a step that has landed is never changed, only followed. */
export const steps: Record<string, Step> = {
  '001-ground': ground,
}

/** Forward only: there is no way down, and what is stored is kept. */
export async function migrate(db: Kysely<Database>, engine: Engine, upTo?: string): Promise<string[]> {
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (on) => step(on as Kysely<never>, engine) },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results } = upTo ? await migrator.migrateTo(upTo) : await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('migration failed', { cause: error })
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}
