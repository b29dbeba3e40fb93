import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

/** The document is made of the contract as it is registered; docs/openapi.json is checked against it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Teaching console', version: '2.2.0', description: 'Every answer is an envelope: code 0 and data, or another code and msg.' },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    },
    transform: jsonSchemaTransform,
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    const document = app.swagger()
    return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(document)
  })
}
