import { QueryClient } from '@tanstack/react-query'

/** The client already repeats what can be sent twice, so a query does not try again by itself. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 30_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
})
