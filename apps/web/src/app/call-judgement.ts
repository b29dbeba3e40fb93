import { partnerSessionOver, type CallError } from '@console/contract'

export type CallJudgement = 'cancelled' | 'session-over' | 'partner-over' | 'message'

type Failure = Pick<CallError['details'], 'kind' | 'path' | 'status' | 'code'>

/** For these, the partner's own session is over as well when they fail so. */
const partnerPaths = /(?:shiWaiLogin|pbsPaperList|refreshPbsMessage)/

export function judgeFailure({ kind, path, status, code }: Failure): CallJudgement {
  if (kind === 'cancelled') return 'cancelled'
  if (code === 401 || status === 401) return 'session-over'
  if (partnerPaths.test(path) && (code === 500 || code === partnerSessionOver)) return 'partner-over'
  return 'message'
}
