/** Another process holds the database, or the pool is exhausted: worth trying again, not a defect. */
export function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as Error & { code?: string }
  // 53300 too many connections, 57P01..03 shutting down or starting, 55P03 lock not available, 40001/40P01 lost a race.
  const postgres = ['53300', '57P01', '57P02', '57P03', '55P03', '40001', '40P01', 'ECONNREFUSED', 'ECONNRESET']
  return (
    error.name === 'DatabaseBusyError' ||
    (code !== undefined && postgres.includes(code)) ||
    /timeout exceeded when trying to connect/.test(error.message)
  )
}
