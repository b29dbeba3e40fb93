import { authSendSms, CallError } from '@console/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callQuietly } from '../../app/client.ts'
import { readStored, writeStored } from '../../app/storage.ts'
import { useSecondsLeft } from './use-seconds-left.ts'

const againAtKey = 'sms-again-at'
const countdownMs = 60_000

function readAgainAt(): number {
  const stored = Number(readStored(againAtKey))
  return stored > Date.now() && stored < Date.now() + 3_600_000 ? stored : 0
}

/** The next code can be asked for after 60 s, or after what the server says; a reload of the page changes nothing. */
export function useSendCode() {
  const [againAt, setAgainAt] = useState(readAgainAt)
  const wait = (milliseconds: number) => {
    const until = Date.now() + milliseconds
    writeStored(againAtKey, String(until))
    setAgainAt(until)
  }
  const send = useMutation({
    mutationFn: (phone: string) => callQuietly(authSendSms, { params: { phone } }, { handlesFailure: true }),
    onSuccess: (answer) => wait(answer.wait || countdownMs),
    onError: (error) => {
      if (error instanceof CallError && error.details.wait) wait(error.details.wait)
    },
  })
  return { send, seconds: useSecondsLeft(againAt) }
}
