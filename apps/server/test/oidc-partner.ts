import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, exportJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

export type Person = { sub: string; name: string; phone?: string; isPhoneVerified?: boolean }

export type OidcPartner = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who the next sign-in at the partner will be. */
  person: Person
  /** What a browser does: follows the partner's pages to the end and gives back where it was sent. */
  visit: (url: string) => Promise<URL>
  /** An id token that the partner's own key signs, with whatever it should say. */
  sign: (claims: JWTPayload, options?: { key?: CryptoKey; kid?: string }) => Promise<string>
  /** Answers of the partner's other calls (the paper list), by path. */
  extra: Map<string, (authorization: string) => { status: number; body: unknown }>
  close: () => Promise<void>
}

const clientId = 'teaching-console'
const clientSecret = 'partner-secret-for-tests-0123456789'

/** A real OpenID provider on a port of its own. */
export async function startOidcPartner(redirectUri: string): Promise<OidcPartner> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'test-key', alg: 'RS256', use: 'sig' }
  const extra: OidcPartner['extra'] = new Map()
  const holder: { provider: Provider | null; person: Person } = {
    provider: null,
    person: { sub: 'p-1', name: '合作教师' },
  }
  const server = createServer((request, response) => void answer(holder, extra, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  holder.provider = new Provider(issuer, configuration(holder, redirectUri, jwk))
  return {
    issuer,
    clientId,
    clientSecret,
    get person() {
      return holder.person
    },
    set person(person) {
      holder.person = person
    },
    visit: (url) => visit(url, redirectUri),
    sign: (claims, { key = privateKey, kid = 'test-key' } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key),
    extra,
    close: () => closed(server),
  }
}

function configuration(holder: { person: Person }, redirectUri: string, jwk: object): Configuration {
  return {
    jwks: { keys: [jwk as never] },
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        response_types: ['code', 'code id_token'],
        grant_types: ['authorization_code', 'implicit', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
        // oidc-provider insists on https for the front channel of a web client; a native one may use loopback.
        application_type: 'native',
      },
    ],
    cookies: { keys: ['test-cookie-key'] },
    claims: { openid: ['sub', 'name'], phone: ['phone_number', 'phone_number_verified'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        name: holder.person.name,
        ...(holder.person.phone
          ? { phone_number: holder.person.phone, phone_number_verified: holder.person.isPhoneVerified === true }
          : {}),
      }),
    }),
    async loadExistingGrant(context) {
      const { client, session, provider } = context.oidc
      if (!client || !session?.accountId) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid phone offline_access')
      await grant.save()
      return grant
    },
  }
}

async function answer(
  holder: { provider: Provider | null; person: Person },
  extra: OidcPartner['extra'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = request.url?.split('?')[0] ?? ''
  const own = extra.get(path)
  if (own) {
    const { status, body } = own(request.headers.authorization ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    return
  }
  if (!path.startsWith('/interaction/') || !holder.provider) {
    void holder.provider?.callback()(request, response)
    return
  }
  const { prompt } = await holder.provider.interactionDetails(request, response)
  const result = prompt.name === 'login' ? { login: { accountId: holder.person.sub } } : { consent: {} }
  await holder.provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true })
}

async function visit(url: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  for (let hop = 0; hop < 10 && !next.href.startsWith(redirectUri); hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const location = reply.headers.get('location')
    if (!location) throw new Error(`the partner answered ${reply.status}: ${(await reply.text()).slice(0, 300)}`)
    next = new URL(location, next)
  }
  return next
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(() => resolve()))
}
