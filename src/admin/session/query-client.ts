import { notifyManager, QueryClient } from '@tanstack/react-query'
import { isOutage } from './session.ts'

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
