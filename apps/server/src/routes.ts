import type { Route } from './http/context.ts'
import { sessionRoutes, signInRoutes } from './modules/auth/routes.ts'
import { environmentRoutes } from './modules/environment/routes.ts'
import { jobRoutes } from './modules/job/routes.ts'
import { pbsRoutes } from './modules/pbs/routes.ts'
import { referenceRoutes } from './modules/reference/routes.ts'
import { uploadRoutes } from './modules/upload/routes.ts'
import { userRoutes } from './modules/user/routes.ts'

/** What the server serves: a test compares it with the contract, endpoint by endpoint. */
export const routes: readonly Route[] = [
  ...environmentRoutes,
  ...jobRoutes,
  ...pbsRoutes,
  ...referenceRoutes,
  ...sessionRoutes,
  ...signInRoutes,
  ...uploadRoutes,
  ...userRoutes,
]
