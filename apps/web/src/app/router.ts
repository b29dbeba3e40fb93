import { createHashRouter } from 'react-router'
import { setNavigator } from './navigation.ts'
import { routes } from './routes.tsx'

export function startRouter() {
  const router = createHashRouter(routes)
  setNavigator({
    to: async (path, { replace }) => router.navigate(path, { replace }),
    currentPath: () => router.state.location.pathname + router.state.location.search,
  })
  return router
}
