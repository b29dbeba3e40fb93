import { parseArgs } from 'node:util'
import { readConfig, withSecretFiles } from '../config.ts'
import { change } from '../db/change.ts'
import { newId } from '../db/ids.ts'
import { insertPaperSizes } from '../db/seed/paper-sizes.ts'
import type { Store } from '../db/store.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import { createLog } from '../log.ts'
import { selectOptionalAccount } from '../modules/auth/accounts.ts'
import { hashPassword, isStrongPassword, makePassword } from '../modules/auth/password.ts'
import { deleteSessions } from '../modules/auth/sessions.ts'
import { openConfiguredStore } from '../server.ts'
import { both } from './both.ts'
import { CommandError, runCommand } from './run-command.ts'

const actor = { userId: null, requestId: 'command', address: 'local' }

await runCommand(async () => {
  const { values, positionals } = readArgs()
  const [command] = positionals
  const { phone = '' } = values
  const isKnown = command === 'create' || command === 'reset-password'
  if (!isKnown || !/^1\d{10}$/.test(phone)) throw new CommandError(both('server.admin.usage'))
  const password = values.password ?? makePassword()
  if (!isStrongPassword(password)) throw new CommandError(both('error.auth.passwordTooWeak'))
  const config = readConfig(withSecretFiles(process.env), 'production')
  const store = await openConfiguredStore(config, createLog({ LOG_LEVEL: 'error' }))
  try {
    if (command === 'create')
      await createAdministrator(store, { phone, password, school: values.school, name: values.name })
    else await resetPassword(store, phone, password)
  } finally {
    await store.close()
  }
  process.stdout.write(`${both('server.admin.done', { phone, password })}\n`)
})

function readArgs() {
  const text = { type: 'string' } as const
  try {
    return parseArgs({ allowPositionals: true, options: { school: text, name: text, phone: text, password: text } })
  } catch {
    throw new CommandError(both('server.admin.usage'))
  }
}

type NewAdministrator = { phone: string; password: string; school: string | undefined; name: string | undefined }

/** The first account of a school, and the school itself when it is not there yet. */
async function createAdministrator(store: Store, { phone, password, school, name }: NewAdministrator): Promise<void> {
  if (!school || !name) throw new CommandError(both('server.admin.usage'))
  const passwordHash = await hashPassword(password)
  const known = await store.everySchool
    .selectFrom('school')
    .select('schoolId')
    .where('name', '=', school)
    .executeTakeFirst()
  const schoolId = known?.schoolId ?? newId()
  const userId = newId()
  const now = Date.now()
  const entry = { action: 'user.add', targetKind: 'user', targetId: userId, data: { by: 'command', school } }
  try {
    await change(store, schoolId, actor, entry, async (db) => {
      if (!known) {
        await db.insertInto('school').values({ name: school, kind: 'school', createdAt: now }).execute()
        await insertPaperSizes(db)
      }
      await db.insertInto('signInName').values({ kind: 'phone', name: phone, userId }).execute()
      await db
        .insertInto('userAccount')
        .values({
          id: userId,
          name,
          phone,
          passwordHash,
          isAdmin: true,
          state: 'active',
          createdAt: now,
          updatedAt: now,
        })
        .execute()
      await db
        .insertInto('userFeature')
        .values([1, 2, 4, 6].map((featureId) => ({ userId, featureId, isActive: true })))
        .execute()
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw new CommandError(both('error.user.phoneTaken'))
    throw error
  }
}

async function resetPassword(store: Store, phone: string, password: string): Promise<void> {
  const account = await selectOptionalAccount(store, 'phone', phone)
  if (!account) throw new CommandError(both('server.admin.unknown', { phone }))
  const passwordHash = await hashPassword(password)
  const { schoolId, userId } = account
  await change(
    store,
    schoolId,
    actor,
    { action: 'user.password', targetKind: 'user', targetId: userId, data: { by: 'command' } },
    async (db) => {
      await db
        .updateTable('userAccount')
        .set({ passwordHash, updatedAt: Date.now() })
        .where('id', '=', userId)
        .execute()
      await deleteSessions(db, userId)
    },
  )
}
