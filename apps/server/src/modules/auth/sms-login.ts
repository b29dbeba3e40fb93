import { randomInt } from 'node:crypto'
import { systemSchool } from '../../db/schema.ts'
import type { Locale } from '@console/phrases'
import { AppError } from '../../http/app-error.ts'
import { sameText } from '../../secrets.ts'
import type { Services } from '../../services.ts'
import { demandActive, selectOptionalAccount, type FoundAccount } from './accounts.ts'
import { countAttempt } from './attempts.ts'
import { putOneTime, selectOptionalOneTime, takeOneTime } from './one-time.ts'

const codeLifeMs = 5 * 60_000
const resendMs = 60_000

type StoredCode = { seal: string; sentAt: number }

const sealOf = ({ secrets }: Services, phone: string, code: string) => secrets.sign('sms', `${phone}:${code}`)

/** The same answer, the same writes and the same time whether the number is known or not. */
export async function sendCode(
  services: Services,
  phone: string,
  address: string,
  locale: Locale,
  now: number,
): Promise<{ wait: number }> {
  const { store, sms } = services
  if (!sms.isWorking(now)) throw new AppError('auth.smsFailed')
  const db = store.school(systemSchool)
  const earlier = await selectOptionalOneTime<StoredCode>(db, 'sms', phone, now)
  if (earlier && now - earlier.sentAt < resendMs) {
    throw new AppError('auth.smsTooSoon', { wait: resendMs - (now - earlier.sentAt) })
  }
  await countAttempt(
    store,
    [
      { kind: 'smsPhone', of: phone },
      { kind: 'smsAddress', of: address },
    ],
    now,
  )
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await putOneTime(
    db,
    'sms',
    phone,
    { seal: sealOf(services, phone, code), sentAt: now } satisfies StoredCode,
    now,
    codeLifeMs,
  )
  const account = await selectOptionalAccount(store, 'phone', phone)
  if (account?.state === 'active') sms.send(phone, code, locale)
  return { wait: resendMs }
}

/** A code is good once, for five minutes, and for five tries. */
export async function accountByCode(
  services: Services,
  phone: string,
  code: string,
  now: number,
): Promise<FoundAccount> {
  const { store } = services
  const attempt = await countAttempt(store, [{ kind: 'code', of: phone }], now)
  const db = store.school(systemSchool)
  const stored = await selectOptionalOneTime<StoredCode>(db, 'sms', phone, now)
  const account = await selectOptionalAccount(store, 'phone', phone)
  if (!stored || !account || !sameText(stored.seal, sealOf(services, phone, code))) throw new AppError('auth.wrongCode')
  const taken = await takeOneTime<StoredCode>(db, 'sms', phone, now)
  if (taken?.seal !== stored.seal) throw new AppError('auth.wrongCode')
  await attempt.forget()
  return demandActive(account)
}
