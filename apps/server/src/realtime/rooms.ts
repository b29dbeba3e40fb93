/** Ids are unique over all schools; a topic is not, so its room says the school. */
export const rooms = {
  user: (userId: string) => `user:${userId}`,
  session: (sessionId: string) => `session:${sessionId}`,
  topic: (schoolId: string, topic: string) => `topic:${schoolId}:${topic}`,
}
