import { systemSchool } from '../../db/schema.ts'
import { AppError } from '../../http/app-error.ts'
import type { Services } from '../../services.ts'
import { demandActive, selectOptionalAccount, type FoundAccount } from './accounts.ts'
import { markUsed, putOneTime, takeOneTime } from './one-time.ts'
import type { PartnerAttempt, PartnerIdentity, PartnerTokens, RemotePartner } from './partners.ts'
import { beginSession, type Caller } from './sessions.ts'

const attemptLifeMs = 15 * 60_000
const nonceRememberedMs = 24 * 60 * 60_000

export async function beginPartner(
  services: Services,
  partner: RemotePartner,
  now: number,
): Promise<{ url: string; state: string }> {
  const { url, attempt } = await services.partners.begin(partner)
  const db = services.store.school(systemSchool)
  await putOneTime(db, 'partner-state', attempt.state, attempt, now, attemptLifeMs)
  await putOneTime(db, 'partner-nonce', attempt.nonce, { partner, state: attempt.state }, now, attemptLifeMs)
  return { url, state: attempt.state }
}

/** The authorisation-code entrances: shiWai and pbs. Without a state the partner's own portal began the login. */
export async function loginByCode(
  services: Services,
  caller: Caller,
  partner: 'shiWai' | 'pbs',
  body: { code: string; state?: string | undefined },
): Promise<string> {
  services.partners.client(partner)
  const attempt = body.state ? await takeAttempt(services, partner, body.state, caller.now) : null
  const tokens = await services.partners.exchange(partner, body.code, attempt).catch(refusedWhenOver)
  const identity = await identityFrom(services, partner, tokens)
  if (attempt && identity.nonce !== null && identity.nonce !== attempt.nonce) throw new AppError('auth.partnerRefused')
  return finish(services, caller, partner, identity, tokens)
}

/** szjx: the browser brings the id token itself; its nonce must be one that we gave out and nobody has used. */
export async function loginByIdToken(
  services: Services,
  caller: Caller,
  body: { idToken: string; code?: string | undefined; state?: string | undefined },
): Promise<string> {
  const identity = await services.partners.verifyIdToken('szjx', body.idToken)
  const nonce = identity.nonce ?? ''
  const db = services.store.school(systemSchool)
  // Marked before it is taken: of several at once the one that marks it is the one that takes it.
  const isFirst = await markUsed(db, 'partner-nonce', `used:${nonce}`, caller.now, nonceRememberedMs)
  if (!isFirst) throw new AppError('auth.partnerReplayed')
  const known = await takeOneTime<{ partner: RemotePartner; state: string }>(db, 'partner-nonce', nonce, caller.now)
  if (known?.partner !== 'szjx') throw new AppError('auth.partnerRefused')
  if (body.state !== undefined && body.state !== known.state) throw new AppError('auth.partnerRefused')
  const attempt = await takeOneTime<PartnerAttempt>(db, 'partner-state', known.state, caller.now)
  const tokens = body.code && attempt ? await refreshable(services, body.code, attempt, identity) : {}
  return finish(services, caller, 'szjx', identity, { ...tokens, idToken: body.idToken })
}

/** The refresh token only serves the logout later: a login does not fail for want of it. */
async function refreshable(
  services: Services,
  code: string,
  attempt: PartnerAttempt,
  identity: PartnerIdentity,
): Promise<PartnerTokens> {
  try {
    const tokens = await services.partners.exchange('szjx', code, attempt)
    const again = tokens.idToken ? await services.partners.verifyIdToken('szjx', tokens.idToken) : identity
    return again.subject === identity.subject ? tokens : {}
  } catch (error) {
    services.log.warn({ err: error }, 'szjx gave no refresh token')
    return {}
  }
}

async function takeAttempt(
  services: Services,
  partner: RemotePartner,
  state: string,
  now: number,
): Promise<PartnerAttempt> {
  const attempt = await takeOneTime<PartnerAttempt>(services.store.school(systemSchool), 'partner-state', state, now)
  if (attempt?.partner !== partner) throw new AppError('auth.partnerReplayed')
  return attempt
}

async function identityFrom(
  services: Services,
  partner: RemotePartner,
  tokens: PartnerTokens,
): Promise<PartnerIdentity> {
  if (tokens.accessToken) return services.partners.userInfo(partner, tokens.accessToken).catch(refusedWhenOver)
  throw new AppError('auth.partnerRefused')
}

/** While signing in, a token that the partner does not take is a refusal; only later is it a session that is over. */
function refusedWhenOver(error: unknown): never {
  if (error instanceof AppError && error.error === 'auth.partnerSessionOver')
    throw new AppError('auth.partnerRefused', { cause: error })
  throw error
}

async function finish(
  services: Services,
  caller: Caller,
  partner: RemotePartner,
  identity: PartnerIdentity,
  secret: PartnerTokens,
): Promise<string> {
  const linked = await selectOptionalAccount(services.store, partner, identity.subject)
  const account = demandActive(linked ?? (await accountByPhone(services, identity)))
  return beginSession(services, caller, {
    ...account,
    door: partner,
    partner,
    secret,
    also: async (db) => {
      if (linked) return
      await db
        .insertInto('signInName')
        .values({ kind: partner, name: identity.subject, userId: account.userId })
        .execute()
    },
  })
}

/** The first time: a phone number that the partner has verified is the account's own. */
async function accountByPhone(services: Services, identity: PartnerIdentity): Promise<FoundAccount> {
  const account = identity.verifiedPhone
    ? await selectOptionalAccount(services.store, 'phone', identity.verifiedPhone)
    : null
  if (!account) throw new AppError('auth.partnerAccountUnknown')
  return account
}
