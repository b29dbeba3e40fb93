import type { FastifyInstance } from 'fastify'
import { AppError } from './app-error.ts'

const depthLimit = 32

/** JSON.parse recurses: refuse what is nested deeper than anything we use before it is parsed. */
function jsonDepthExceeds(text: string, limit: number): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 92) at += 1
      else if (char === 34) inString = false
    } else if (char === 34) inString = true
    else if (char === 123 || char === 91) {
      depth += 1
      if (depth > limit) return true
    } else if (char === 125 || char === 93) depth -= 1
  }
  return false
}

/** Malformed, too deep, or meant to change a prototype: each is the sender's mistake with a code of its own. */
export function registerJsonBody(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (jsonDepthExceeds(body as string, depthLimit)) return done(new AppError('request.tooDeep'))
    return parse(request, body as string, (error, value) =>
      done(error ? new AppError('request.malformed', { cause: error }) : null, value),
    )
  })
}
