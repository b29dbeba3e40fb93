import { createHash, randomBytes } from 'node:crypto'
import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import type { Config } from '../../config.ts'
import { AppError } from '../../http/app-error.ts'
import type { Log } from '../../log.ts'
import { createDiscovery, fetchJson, type Discovered } from './partner-discovery.ts'

export type RemotePartner = 'shiWai' | 'pbs' | 'szjx'

export type PartnerClient = {
  name: RemotePartner
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
}

/** Kept on our side between the way to the partner and the way back. */
export type PartnerAttempt = { partner: RemotePartner; state: string; nonce: string; verifier: string }

export type PartnerIdentity = {
  subject: string
  name: string | null
  verifiedPhone: string | null
  nonce: string | null
}
export type PartnerTokens = { idToken?: string; refreshToken?: string; accessToken?: string }

export type Partners = {
  client: (name: RemotePartner) => PartnerClient
  configured: () => RemotePartner[]
  begin: (name: RemotePartner) => Promise<{ url: string; attempt: PartnerAttempt }>
  exchange: (name: RemotePartner, code: string, attempt: PartnerAttempt | null) => Promise<PartnerTokens>
  /** Throws unless the issuer signed this token for us, now. */
  verifyIdToken: (name: RemotePartner, idToken: string) => Promise<PartnerIdentity>
  userInfo: (name: RemotePartner, accessToken: string) => Promise<PartnerIdentity>
}

const clockToleranceSeconds = 60
const oldestIdTokenSeconds = 10 * 60
// Never 'none' and never a symmetric one: the token must carry the issuer's own signature.
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

export function createPartners(config: Config, log: Log): Partners {
  const clients = clientsOf(config)
  const discover = createDiscovery(log)
  const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>()
  const client = (name: RemotePartner): PartnerClient => {
    const found = clients.get(name)
    if (!found) throw new AppError('auth.partnerNotConfigured')
    return found
  }
  const keysOf = ({ jwks_uri }: Discovered) => {
    const known = keys.get(jwks_uri) ?? createRemoteJWKSet(new URL(jwks_uri), { timeoutDuration: 10_000 })
    keys.set(jwks_uri, known)
    return known
  }
  return {
    client,
    configured: () => [...clients.keys()],
    begin: async (name) => beginAt(client(name), await discover(client(name).issuer)),
    exchange: async (name, code, attempt) =>
      exchangeCode(client(name), await discover(client(name).issuer), code, attempt),
    async verifyIdToken(name, idToken) {
      const { issuer, clientId } = client(name)
      const found = await discover(issuer)
      return identityOf(await verified(idToken, keysOf(found), found.issuer, clientId))
    },
    async userInfo(name, accessToken) {
      const { userinfo_endpoint } = await discover(client(name).issuer)
      if (!userinfo_endpoint) throw new AppError('auth.partnerRefused')
      return identityOf(await fetchJson(userinfo_endpoint, { headers: { authorization: `Bearer ${accessToken}` } }))
    },
  }
}

function clientsOf(config: Config): Map<RemotePartner, PartnerClient> {
  const list = [
    ['shiWai', config.SHIWAI_ISSUER, config.SHIWAI_CLIENT_ID, config.SHIWAI_CLIENT_SECRET],
    ['pbs', config.PBS_ISSUER, config.PBS_CLIENT_ID, config.PBS_CLIENT_SECRET],
    ['szjx', config.SZJX_ISSUER, config.SZJX_CLIENT_ID, config.SZJX_CLIENT_SECRET],
  ] as const
  return new Map(
    list.flatMap(([name, issuer, clientId, clientSecret]) =>
      issuer && clientId && clientSecret
        ? [
            [
              name,
              {
                name,
                issuer,
                clientId,
                clientSecret,
                redirectUri: `${config.PUBLIC_URL?.replace(/\/$/, '')}/?entrance=${name}`,
              },
            ] as const,
          ]
        : [],
    ),
  )
}

function beginAt(client: PartnerClient, found: Discovered): { url: string; attempt: PartnerAttempt } {
  const random = () => randomBytes(32).toString('base64url')
  const attempt = { partner: client.name, state: random(), nonce: random(), verifier: random() }
  const url = new URL(found.authorization_endpoint)
  const isHybrid = client.name === 'szjx'
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: isHybrid ? 'code id_token' : 'code',
    // A refresh token is what the external logout of szjx wants; it comes only with offline_access and consent.
    scope: isHybrid ? 'openid phone offline_access' : 'openid phone',
    ...(isHybrid ? { prompt: 'consent' } : {}),
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return { url: url.href, attempt }
}

async function exchangeCode(
  client: PartnerClient,
  found: Discovered,
  code: string,
  attempt: PartnerAttempt | null,
): Promise<PartnerTokens> {
  const basic = Buffer.from(
    `${encodeURIComponent(client.clientId)}:${encodeURIComponent(client.clientSecret)}`,
  ).toString('base64')
  const answer = await fetchJson(found.token_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: client.redirectUri,
      ...(attempt ? { code_verifier: attempt.verifier } : {}),
    }).toString(),
  })
  const text = (name: string) => (typeof answer[name] === 'string' ? answer[name] : undefined)
  const [idToken, refreshToken, accessToken] = [text('id_token'), text('refresh_token'), text('access_token')]
  return {
    ...(idToken ? { idToken } : {}),
    ...(refreshToken ? { refreshToken } : {}),
    ...(accessToken ? { accessToken } : {}),
  }
}

async function verified(
  idToken: string,
  keys: ReturnType<typeof createRemoteJWKSet>,
  issuer: string,
  audience: string,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(idToken, keys, {
      issuer,
      audience,
      algorithms,
      clockTolerance: clockToleranceSeconds,
      maxTokenAge: oldestIdTokenSeconds,
      requiredClaims: ['sub', 'exp', 'iat', 'nonce'],
    })
    // With several audiences the token must say that it was given to us.
    const isOurs = payload['azp'] === undefined ? [payload.aud].flat().length === 1 : payload['azp'] === audience
    if (!isOurs) throw new AppError('auth.partnerRefused')
    return payload
  } catch (error) {
    if (error instanceof AppError) throw error
    if (error instanceof errors.JWKSTimeout) throw new AppError('auth.partnerUnreachable', { cause: error })
    throw new AppError('auth.partnerRefused', { cause: error })
  }
}

function identityOf(claims: Record<string, unknown>): PartnerIdentity {
  const text = (name: string) => (typeof claims[name] === 'string' && claims[name] !== '' ? claims[name] : null)
  const subject = text('sub')
  if (!subject || subject.length > 200) throw new AppError('auth.partnerRefused')
  const phone =
    claims['phone_number_verified'] === true ? (text('phone_number')?.replace(/^\+?86[- ]?/, '') ?? null) : null
  return {
    subject,
    name: text('name'),
    nonce: text('nonce'),
    verifiedPhone: phone && /^1\d{10}$/.test(phone) ? phone : null,
  }
}
