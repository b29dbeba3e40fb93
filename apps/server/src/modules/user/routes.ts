import * as contract from '@console/contract'
import { AppError, fieldError, notFound } from '../../http/app-error.ts'
import { handle, type Route } from '../../http/context.ts'
import { hashPassword, isStrongPassword, makePassword } from '../auth/password.ts'
import { selectClassGroups } from '../reference/queries.ts'
import { insertUser, removeUser, updateUser } from './commands.ts'
import { mayReadUser } from './policy.ts'
import { presentCurrentUser, presentUsers } from './present.ts'
import { selectActiveNames, selectUser, selectUserPage } from './queries.ts'

export const userRoutes: Route[] = [
  handle(contract.userPage, async ({ read, query }) => {
    const { page, size, ...filter } = query
    const { rows, total } = await selectUserPage(read, filter, page, size)
    return { items: await presentUsers(read, rows), total, page, size }
  }),

  handle(contract.userAll, async ({ read, query }) => selectActiveNames(read, query.text)),

  handle(contract.userAdd, async ({ change, body, now }) => {
    if (body.password !== undefined && !isStrongPassword(body.password))
      throw fieldError('password', 'auth.passwordTooWeak')
    const made = body.password === undefined ? makePassword() : null
    const passwordHash = await hashPassword(body.password ?? made ?? '')
    const entry = (id: string) => ({
      action: 'user.add',
      targetKind: 'user',
      targetId: id,
      data: { name: body.name, isAdmin: body.isAdmin },
    })
    const id = await change(entry, (db) => insertUser(db, body, passwordHash, now))
    return { id, password: made }
  }),

  handle(contract.userUpdate, async ({ change, read, body, session, services, now }) => {
    const { id, ...changed } = body
    const entry = { action: 'user.update', targetKind: 'user', targetId: id, data: { changed } }
    await change(entry, async (db, after) => {
      const ended = await updateUser(db, body, session.userId, now)
      after(() => services.realtime.endSessions(ended, 'disabled'))
    })
    const [user] = await presentUsers(read, [await selectUser(read, id)])
    if (!user) throw notFound()
    return user
  }),

  handle(contract.userOne, async ({ read, params, session }) => {
    // Not 'denied': whether somebody else's id exists is not told either.
    if (!mayReadUser(session, params.id)) throw notFound()
    const [user] = await presentUsers(read, [await selectUser(read, params.id)])
    if (!user) throw notFound()
    return user
  }),

  handle(contract.userRemove, async ({ change, params, session, services, now }) => {
    if (params.id === session.userId) throw new AppError('user.ownAccount')
    await change({ action: 'user.remove', targetKind: 'user', targetId: params.id }, async (db, after) => {
      const ended = await removeUser(db, params.id, now)
      after(() => services.realtime.endSessions(ended, 'disabled'))
    })
    return null
  }),

  handle(contract.userCurrent, async ({ read, session }) => presentCurrentUser(read, session)),

  handle(contract.userClassGroup, async ({ read, session }) => selectClassGroups(read, session.userId)),
]
