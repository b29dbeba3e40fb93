import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'

/** The document is made of the contract as it is registered; docs/openapi.json is checked against it. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Teaching console',
        version: '2.2.0',
        description: 'Every answer is an envelope: code 0 and data, or another code and msg.',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    },
    transform: (document) => withBody(jsonSchemaTransform(document)),
  })
  let text = ''
  // A tenth of a second of work: before anybody is answered, not in front of somebody's request.
  app.addHook('onReady', async () => {
    text = JSON.stringify(app.swagger())
  })
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').serializer(String).send(text),
  )
}

type Transformed = ReturnType<typeof jsonSchemaTransform>

/** Forms and bytes are read by their handlers, not by Fastify's validation: the document says them all the same. */
function withBody({ schema, url }: Transformed): Transformed {
  const { 'x-form': form, 'x-bytes': bytes, ...rest } = schema as Record<string, unknown>
  if (form instanceof z.ZodObject) return { schema: { ...rest, body: z.toJSONSchema(form, { io: 'input' }) }, url }
  if (bytes) return { schema: { ...rest, body: { type: 'string', format: 'binary' } }, url }
  return { schema: rest, url }
}
