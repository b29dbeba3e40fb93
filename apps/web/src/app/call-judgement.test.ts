import { expect, test } from 'vitest'
import { judgeFailure } from './call-judgement.ts'

const failure = (more: Partial<Parameters<typeof judgeFailure>[0]>) => ({
  kind: 'envelope' as const,
  path: '/api/task/page',
  status: 200,
  code: 0,
  ...more,
})

test('NG-05 AP-02 code 401 or status 401 ends the session', () => {
  expect(judgeFailure(failure({ code: 401 }))).toBe('session-over')
  expect(judgeFailure(failure({ kind: 'http', status: 401, code: 401 }))).toBe('session-over')
})

test.each(['/api/auth/shiWaiLogin', '/api/pbs/pbsPaperList', '/api/pbs/refreshPbsMessage'])(
  'AP-02 codes 500 and 10401 of %s end it too',
  (path) => {
    expect(judgeFailure(failure({ path, code: 500 }))).toBe('partner-over')
    expect(judgeFailure(failure({ path, code: 10401 }))).toBe('partner-over')
    expect(judgeFailure(failure({ path, code: 400 }))).toBe('message')
  },
)

test('AP-02 any other code is a message', () => {
  expect(judgeFailure(failure({ code: 500 }))).toBe('message')
  expect(judgeFailure(failure({ code: 10401 }))).toBe('message')
  expect(judgeFailure(failure({ kind: 'network', status: 0 }))).toBe('message')
})

test('AP-03 a cancelled call only warns', () => {
  expect(judgeFailure(failure({ kind: 'cancelled', status: 0 }))).toBe('cancelled')
})
