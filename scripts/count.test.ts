import { expect, test } from 'vitest'
import { countReport, type Report } from './count.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((each) => ({ status: each })),
})
const report = (...testResults: Report['testResults']): Report => ({
  success: testResults.every(({ status }) => status === 'passed'),
  testResults,
})

test('passed and failed tests over all files', () => {
  const all = report(file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed'))
  expect(countReport(all, 1)).toEqual({ passed: 3, failed: 1 })
})

test.each(['skipped', 'pending', 'todo', 'disabled'])('a %s test has failed', (status) => {
  expect(countReport(report(file('passed', 'passed', status)), 0)).toEqual({ passed: 1, failed: 1 })
})

test('a file that does not load has failed, and so has one without a test', () => {
  expect(countReport(report(file('failed'), file('passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 })
  expect(countReport(report(file('passed'), file('passed', 'passed')), 0)).toEqual({ passed: 1, failed: 1 })
})

test('a file whose own teardown fails has failed', () => {
  expect(countReport(report(file('failed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 })
})

test('an unhandled error fails the run though each test passed', () => {
  expect(countReport(report(file('passed', 'passed')), 1)).toEqual({ passed: 1, failed: 1 })
})

test('no report and no test are failures', () => {
  expect(countReport(null, 1)).toEqual({ passed: 0, failed: 1 })
  expect(countReport(report(), 0)).toEqual({ passed: 0, failed: 1 })
})
