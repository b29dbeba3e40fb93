import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import * as f from './fields.ts'
import { currentUser } from './user.ts'

/** Every login answers with the same: the session and its profile. */
const login = (summary: string) => ({ access: 'public', summary, data: currentUser }) as const

const state = z.object({ state: f.secretText(200).optional() })

export const authLogin = endpoint('POST /api/auth/login', {
  ...login('Sign in by phone and password; ticket is the solved security check, asked for after failures'),
  body: z.object({ phone: f.phone, password: f.secretText(128), ticket: f.secretText(400).optional() }),
})
export const authSmsLogin = endpoint('POST /api/auth/smsLogin', {
  ...login('Sign in by the code of a text message; username is an older name for phone'),
  body: z.union([
    z.object({ phone: f.phone, code: f.secretText(10) }),
    z.object({ username: f.phone, code: f.secretText(10) }),
  ]),
})
export const authShiWaiLogin = endpoint('POST /api/auth/shiWaiLogin', {
  ...login('Sign in by the authorisation code of shiWai'),
  body: state.extend({ code: f.secretText(4000) }),
})
export const authPbsLogin = endpoint('POST /api/auth/pbsLogin', {
  ...login('Sign in by the authorisation code of pbs'),
  body: state.extend({ code: f.secretText(4000) }),
})
export const authSzjxLogin = endpoint('POST /api/auth/szjxLogin', {
  ...login('Sign in by the OpenID Connect id token of szjx; the code beside it brings the refresh token for logout'),
  body: state.extend({ idToken: f.secretText(16_000), code: f.secretText(4000).optional() }),
})
export const authWflLogin = endpoint('POST /api/auth/wflLogin', {
  access: 'public',
  summary:
    'The wfl server asks for a token to hand over: signed with the shared secret, valid for two minutes until first used',
  body: z.object({
    account: f.requiredText(100),
    time: f.time,
    nonce: f.secretText(100),
    signature: f.secretText(200),
  }),
  data: z.object({ token: z.string() }),
})
export const authSzjxLogout = endpoint('POST /api/auth/szjxLogout', {
  access: 'signed-in',
  summary: 'What the external logout of szjx asks for; the session here ends with it',
  body: z.object({ token: f.secretText(400).optional() }),
  data: z.object({
    logoutUrl: z.string(),
    idToken: z.string(),
    signature: z.string(),
    refreshToken: z.string().nullable(),
  }),
})
export const authLogout = endpoint('POST /api/auth/logout', {
  access: 'signed-in',
  summary: 'End this session',
  data: z.null(),
})
export const authResetPassword = endpoint('PUT /api/auth/resetPassword', {
  access: 'signed-in',
  summary: 'Change the own password; every other session of the user ends',
  body: z.object({ oldPassword: f.secretText(128), newPassword: f.secretText(128) }),
  data: z.null(),
})
export const authSendSms = endpoint('POST /api/auth/sendSms/{phone}', {
  access: 'public',
  summary: 'Send a login code; the answer is the same whether the number is known or not',
  params: z.object({ phone: f.phone }),
  data: z.object({ wait: z.number().int() }),
})
export const authTicket = endpoint('GET /api/auth/ticket', {
  access: 'public',
  summary:
    'A security check to solve: find n so that sha256(challenge + "." + n) begins with that many zero bits; the ticket is challenge + "." + n',
  data: z.object({ challenge: z.string(), bits: z.number().int() }),
})
export const authPartnerBegin = endpoint('GET /api/auth/partner/{partner}/begin', {
  access: 'public',
  summary: 'Where the browser goes to sign in at a partner, and the state to compare on return',
  params: z.object({ partner: z.enum(['szjx', 'shiWai', 'pbs']) }),
  data: z.object({ url: z.string(), state: z.string() }),
})

export const sessionItem = z.object({
  id: f.id,
  device: z.string(),
  address: z.string(),
  createdAt: f.time,
  seenAt: f.time,
  isCurrent: z.boolean(),
})
export const authSessions = endpoint('GET /api/auth/sessions', {
  access: 'signed-in',
  summary: 'The devices on which the user is signed in',
  data: z.array(sessionItem),
})
export const authSessionEnd = endpoint('DELETE /api/auth/sessions/{id}', {
  access: 'signed-in',
  summary: 'Sign one device out',
  params: z.object({ id: f.id }),
  data: z.null(),
})
/** Only outside production: the debug page shows what the log gateway would have sent. */
export const authDebugSms = endpoint('GET /api/auth/debugSms', {
  access: 'public',
  summary: 'The text messages of the log gateway; empty in production and with any other gateway',
  data: z.array(z.object({ phone: z.string(), code: z.string(), at: f.time })),
})
