export type Count = { passed: number; failed: number }

/** The part of vitest's JSON report that is read here. */
export type Report = {
  success: boolean
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** Whatever did not pass has failed: skipped and planned tests, files that did not load, a run without a report. */
export function countReport(report: Report | null, exitCode: number): Count {
  const count = { passed: 0, failed: 0 }
  for (const file of report?.testResults ?? []) {
    const passed = file.assertionResults.filter(({ status }) => status === 'passed').length
    const failed = file.assertionResults.length - passed
    const isFileFailed = failed === 0 && (file.status !== 'passed' || file.assertionResults.length === 0)
    count.passed += passed
    count.failed += failed + (isFileFailed ? 1 : 0)
  }
  // An unhandled error, or nothing to run.
  const isRunFailed = exitCode !== 0 || !report?.success || count.passed === 0
  if (count.failed === 0 && isRunFailed) count.failed = 1
  return count
}
