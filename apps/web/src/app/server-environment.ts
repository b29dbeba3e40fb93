import { environment, type DataOf } from '@console/contract'
import { useQuery } from '@tanstack/react-query'
import { callQuietly } from './client.ts'
import { queryClient } from './query-client.ts'

export type ServerEnvironment = DataOf<typeof environment>

const environmentQuery = {
  queryKey: ['environment'],
  queryFn: ({ signal }: { signal: AbortSignal }) => callQuietly(environment, {}, { signal, handlesFailure: true }),
  staleTime: Number.POSITIVE_INFINITY,
}

/** What the console must know of its server before anybody signs in. */
export function useServerEnvironment() {
  return useQuery(environmentQuery)
}

export function loadServerEnvironment(): Promise<ServerEnvironment> {
  return queryClient.ensureQueryData(environmentQuery)
}
