import { notifyManager, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { CallInput } from '#client/call.ts'
import type { Endpoint, OutputOf } from '#contract/http/endpoint.ts'
import { ask, isOutage } from './session.ts'

// A change is drawn in the frame of its key: after a timeout, as is usual, it comes one or two later.
notifyManager.setScheduler(queueMicrotask)

/**
 * Calls are made whatever the browser thinks of its connection, so that being offline is seen at
 * once and drawn; only outages are tried again, shortly.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: true,
      staleTime: 10_000,
      retry: (failures, error) => failures < 1 && isOutage(error),
      retryDelay: 400,
    },
    mutations: { networkMode: 'always' },
  },
})

/** The query for the answer of a call. */
export const callQuery = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E>,
) => queryOptions({ queryKey, queryFn: ({ signal }) => ask(endpoint, input, { signal }) })

type DataOf<E> = OutputOf<E> extends { data: infer Data } ? Data : never

/** The query for the data of a call, without what its answer says beside them. */
export const dataQuery = <E extends Endpoint>(
  queryKey: QueryKey,
  endpoint: E,
  input: CallInput<E>,
) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }): Promise<DataOf<E>> => {
      const answer: unknown = await ask(endpoint, input, { signal })
      return (answer as { data: DataOf<E> }).data
    },
  })
