import { say, type Locale } from '@console/phrases'
import type { Config } from '../../config.ts'
import type { Log } from '../../log.ts'

export type SentSms = { phone: string; code: string; at: number }

/** Sends a login code; the gateway is an adapter. */
export type Sms = {
  /** False while the gateway is known to fail: then everybody hears it, whether their number is known or not. */
  isWorking: (now: number) => boolean
  /** Does not wait for the gateway: the time of the answer must not tell whether a number is known. */
  send: (phone: string, code: string, locale: Locale) => void
  /** What the log gateway has sent; only outside production. */
  sent: () => readonly SentSms[]
}

const failureRemembered = 30_000
const kept = 20

export function createSms(config: Config, log: Log): Sms {
  return config.SMS_GATEWAY === 'http' && config.SMS_HTTP_URL
    ? createHttpSms(config.SMS_HTTP_URL, config.SMS_HTTP_TOKEN, log)
    : createLogSms(config.ENV_TYPE === 'production', log)
}

function createLogSms(production: boolean, log: Log): Sms {
  const sent: SentSms[] = []
  return {
    isWorking: () => !production,
    send(phone, code) {
      if (production) return
      log.info({ phone, code }, 'the login code that a gateway would send')
      sent.unshift({ phone, code, at: Date.now() })
      sent.length = Math.min(sent.length, kept)
    },
    sent: () => sent,
  }
}

function createHttpSms(url: string, token: string | undefined, log: Log): Sms {
  let failedAt = 0
  return {
    isWorking: (now) => now - failedAt > failureRemembered,
    send(phone, code, locale) {
      const body = JSON.stringify({ phone, code, text: say(locale, 'server.sms.loginCode', { code }) })
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
      fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(10_000) })
        .then((answer) => {
          if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`)
        })
        .catch((error: unknown) => {
          failedAt = Date.now()
          log.error({ err: error }, 'the SMS gateway failed')
        })
    },
    sent: () => [],
  }
}
