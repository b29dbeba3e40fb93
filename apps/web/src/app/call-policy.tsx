import type { CallError } from '@console/contract'
import { RequestNumber } from '../ui/request-number.tsx'
import { judgeFailure, type CallJudgement } from './call-judgement.ts'
import { failureText } from './failure-text.ts'
import { showError } from './feedback.tsx'
import { say } from './locale.ts'
import { addLog } from './log.ts'

type SessionEnd = (whose: Extract<CallJudgement, 'session-over' | 'partner-over'>) => void
let endSession: SessionEnd = () => {}

/** The session is told, not imported: it needs the client, and the client needs this. */
export function onSessionOver(handler: SessionEnd): void {
  endSession = handler
}

function showFailure(error: CallError): void {
  const { requestId } = error.details
  showError(
    <span>
      {failureText(error)}
      {requestId ? <RequestNumber id={requestId} /> : null}
    </span>,
  )
}

/** For every failed call, whether or not the caller shows it: the log, and the session that is over. */
export function observeFailure(error: CallError): void {
  const judgement = judgeFailure(error.details)
  if (judgement === 'cancelled') {
    console.warn(error.message)
    return
  }
  addLog(say('debug.log.exception', { message: error.message }), 'error')
  if (judgement === 'partner-over') showFailure(error)
  if (judgement !== 'message') endSession(judgement)
}

/** For failed calls whose caller does not show them where they happened. */
export function announceFailure(error: CallError): void {
  if (judgeFailure(error.details) === 'message') showFailure(error)
}
