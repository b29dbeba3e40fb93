import * as contract from '@console/contract'
import { systemSchool } from '../../db/schema.ts'
import { AppError, fieldError, notFound } from '../../http/app-error.ts'
import { handle, type Route } from '../../http/context.ts'
import { readToken } from '../../http/token.ts'
import { createHmac } from 'node:crypto'
import { sameText } from '../../secrets.ts'
import type { Services } from '../../services.ts'
import { presentCurrentUser } from '../user/present.ts'
import { demandActive, selectOptionalAccount } from './accounts.ts'
import { countAttempt } from './attempts.ts'
import { markUsed } from './one-time.ts'
import { deviceName } from './device-name.ts'
import { beginPartner, loginByCode, loginByIdToken } from './partner-login.ts'
import { checkPassword, hashPassword, isStrongPassword } from './password.ts'
import { beginSession, deleteSessions, readPartnerSecret } from './sessions.ts'
import { accountByCode, sendCode } from './sms-login.ts'
import { demandTicket, makeChallenge } from './ticket.ts'

const wflClockMs = 5 * 60_000

async function profile({ store }: Services, token: string) {
  const parts = readToken(token)
  if (!parts) throw new AppError('access.signInNeeded')
  const db = store.school(parts.schoolId)
  const { userId, partner } = await db
    .selectFrom('userSession')
    .select(['userId', 'partner'])
    .where('tokenHash', '=', parts.tokenHash)
    .executeTakeFirstOrThrow()
  return presentCurrentUser(db, { userId, partner, schoolId: parts.schoolId, token })
}

export const signInRoutes: Route[] = [
  handle(contract.authLogin, async (context) => {
    const { services, body, address, now } = context
    const attempt = await countAttempt(
      services.store,
      [
        { kind: 'account', of: body.phone },
        { kind: 'address', of: address },
      ],
      now,
    )
    if (attempt.needsTicket) await demandTicket(services, body.ticket, now)
    const account = await selectOptionalAccount(services.store, 'phone', body.phone)
    const isRight = await checkPassword(body.password, account?.passwordHash ?? null)
    if (!account || !isRight) throw new AppError('auth.wrongPassword')
    demandActive(account)
    await attempt.forget()
    return profile(services, await beginSession(services, context, { ...account, door: 'password' }))
  }),

  handle(contract.authSmsLogin, async (context) => {
    const { services, body, now } = context
    const account = await accountByCode(services, 'phone' in body ? body.phone : body.username, body.code, now)
    return profile(services, await beginSession(services, context, { ...account, door: 'sms' }))
  }),

  handle(contract.authShiWaiLogin, async (context) =>
    profile(context.services, await loginByCode(context.services, context, 'shiWai', context.body)),
  ),
  handle(contract.authPbsLogin, async (context) =>
    profile(context.services, await loginByCode(context.services, context, 'pbs', context.body)),
  ),
  handle(contract.authSzjxLogin, async (context) =>
    profile(context.services, await loginByIdToken(context.services, context, context.body)),
  ),

  handle(contract.authWflLogin, async (context) => {
    const { services, body, now } = context
    const secret = services.config.WFL_SECRET
    if (!secret) throw new AppError('auth.partnerNotConfigured')
    const expected = createHmac('sha256', secret).update(`${body.account}\n${body.time}\n${body.nonce}`).digest('hex')
    if (!sameText(expected, body.signature) || Math.abs(now - body.time) > wflClockMs)
      throw new AppError('auth.partnerRefused')
    const db = services.store.school(systemSchool)
    if (!(await markUsed(db, 'wfl-nonce', body.nonce, now, 2 * wflClockMs))) throw new AppError('auth.partnerReplayed')
    const account =
      (await selectOptionalAccount(services.store, 'wfl', body.account)) ??
      (await selectOptionalAccount(services.store, 'phone', body.account))
    if (!account) throw new AppError('auth.partnerAccountUnknown')
    const token = await beginSession(services, context, {
      ...demandActive(account),
      door: 'wfl',
      partner: 'wfl',
      handOver: true,
    })
    return { token }
  }),

  handle(contract.authSendSms, async ({ services, params, address, locale, now }) =>
    sendCode(services, params.phone, address, locale, now),
  ),
  handle(contract.authTicket, async ({ services, now }) => makeChallenge(services, now)),
  handle(contract.authPartnerBegin, async ({ services, params, now }) => beginPartner(services, params.partner, now)),
  handle(contract.authDebugSms, async ({ services }) =>
    services.config.ENV_TYPE === 'production'
      ? []
      : services.sms.sent().map(({ phone, code, at }) => ({ phone, code, at })),
  ),
]

export const sessionRoutes: Route[] = [
  handle(contract.authLogout, async ({ change, session, services }) => {
    await change({ action: 'session.end', targetKind: 'session', targetId: session.sessionId }, async (db, after) => {
      await db.deleteFrom('userSession').where('tokenHash', '=', session.tokenHash).execute()
      after(() => services.realtime.endSessions([session.sessionId], 'revoked'))
    })
    return null
  }),

  handle(contract.authSzjxLogout, async ({ change, session, services, read }) => {
    const { config } = services
    const { clientSecret } = services.partners.client('szjx')
    const row = await read
      .selectFrom('userSession')
      .select('partnerSecret')
      .where('tokenHash', '=', session.tokenHash)
      .executeTakeFirst()
    const { idToken = '', refreshToken = null } = readPartnerSecret(services, row?.partnerSecret ?? null)
    await change(
      { action: 'session.end', targetKind: 'session', targetId: session.sessionId, data: { door: 'szjx' } },
      async (db, after) => {
        await db.deleteFrom('userSession').where('tokenHash', '=', session.tokenHash).execute()
        after(() => services.realtime.endSessions([session.sessionId], 'revoked'))
      },
    )
    const signature = createHmac('sha256', clientSecret).update(idToken).digest('base64url')
    // Without an id token this session did not come from szjx: there is nobody to tell.
    return { logoutUrl: idToken ? (config.SZJX_LOGOUT_URL ?? '') : '', idToken, signature, refreshToken }
  }),

  handle(contract.authResetPassword, async ({ change, session, services, body, read, address, now }) => {
    const attempt = await countAttempt(
      services.store,
      [
        { kind: 'account', of: `user:${session.userId}` },
        { kind: 'address', of: address },
      ],
      now,
    )
    const row = await read
      .selectFrom('userAccount')
      .select('passwordHash')
      .where('id', '=', session.userId)
      .executeTakeFirst()
    if (!(await checkPassword(body.oldPassword, row?.passwordHash ?? null)))
      throw fieldError('oldPassword', 'auth.oldPasswordWrong')
    await attempt.forget()
    if (!isStrongPassword(body.newPassword)) throw fieldError('newPassword', 'auth.passwordTooWeak')
    if (body.newPassword === body.oldPassword) throw fieldError('newPassword', 'auth.passwordSame')
    const passwordHash = await hashPassword(body.newPassword)
    await change({ action: 'user.password', targetKind: 'user', targetId: session.userId }, async (db, after) => {
      await db
        .updateTable('userAccount')
        .set({ passwordHash, updatedAt: now })
        .where('id', '=', session.userId)
        .execute()
      const ended = await deleteSessions(db, session.userId, { tokenHash: session.tokenHash })
      after(() => services.realtime.endSessions(ended, 'password'))
    })
    return null
  }),

  handle(contract.authSessions, async ({ read, session, now }) => {
    const rows = await read
      .selectFrom('userSession')
      .select(['id', 'device', 'address', 'createdAt', 'seenAt'])
      .where('userId', '=', session.userId)
      .where('expiresAt', '>', now)
      .orderBy('seenAt', 'desc')
      .execute()
    return rows.map(({ id, device, address, createdAt, seenAt }) => ({
      id,
      device: deviceName(device),
      address,
      createdAt,
      seenAt,
      isCurrent: id === session.sessionId,
    }))
  }),

  handle(contract.authSessionEnd, async ({ change, session, services, params }) => {
    await change({ action: 'session.end', targetKind: 'session', targetId: params.id }, async (db, after) => {
      const ended = await db
        .deleteFrom('userSession')
        .where('id', '=', params.id)
        .where('userId', '=', session.userId)
        .returning('id')
        .execute()
      if (ended.length === 0) throw notFound()
      after(() => services.realtime.endSessions([params.id], 'revoked'))
    })
    return null
  }),
]
