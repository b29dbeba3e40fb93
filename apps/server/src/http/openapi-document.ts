import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { createLog } from '../log.ts'
import { routes } from '../routes.ts'
import type { Services } from '../services.ts'
import { registerOpenApi } from './openapi.ts'
import { register } from './route.ts'

/** The document as the server serves it, made without a database: only what is registered counts. */
export async function openApiDocument(): Promise<string> {
  const config = readConfig({}, 'test')
  const app = await createApp(config, createLog({ LOG_LEVEL: 'silent' }))
  await registerOpenApi(app)
  const services = { config } as Services
  await app.register(async (scope) => {
    for (const route of routes) register(scope, services, route)
  })
  await app.ready()
  const text = `${JSON.stringify(app.swagger(), null, 1)}\n`
  await app.close()
  return text
}
