/** An administrator reads every account of the school, everybody their own. */
export function mayReadUser(session: { isAdmin: boolean; userId: string }, userId: string): boolean {
  return session.isAdmin || session.userId === userId
}
