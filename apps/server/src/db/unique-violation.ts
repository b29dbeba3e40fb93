const sqliteUnique = new Set([1555, 2067])
const postgresUnique = '23505'

/** Two people took the same name at once: the one refusal of the database that is a user's error. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { errcode, code } = error as Error & { errcode?: number; code?: string }
  return code === postgresUnique || (errcode !== undefined && sqliteUnique.has(errcode))
}
