import type { Session } from './session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    session: Session | null
  }
}
