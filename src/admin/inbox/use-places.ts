import { useQuery, useQueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits.ts'
import { listRecords } from './api/endpoints.ts'
import type { Filter } from './api/record.ts'
import type { KindView } from './kinds/kind-view.ts'
import { gapNear, type ListData, type Span, withPage } from './places.ts'
import { listQuery, withOverlaysOnPage } from './queries.ts'

/** A scrollbar that is dragged past a place within this time does not ask for it. */
const passingMs = 60

const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })

/**
 * Loads what is missing near the windows, the first of them first, one page at a time. When they
 * move on, what was asked for elsewhere is called off.
 */
export const usePlaces = (
  view: KindView,
  filter: Filter,
  list: ListData,
  windows: readonly Span[],
  onLoad: (before: ListData, after: ListData) => void,
) => {
  const client = useQueryClient()
  const gap = windows.map((window) => gapNear(list, window)).find(Boolean) ?? null
  return useQuery({
    queryKey: ['page', view.kind, filter, gap],
    queryFn: async ({ signal }) => {
      if (!gap) return null
      const { from, cursor } = gap
      if (cursor === undefined) await rest(passingMs, signal)
      const where = cursor === undefined ? { skip: from } : { cursor }
      const query = { ...filter, ...where, limit: limits.page.max }
      const page = withOverlaysOnPage(await listRecords(view.kind, query, signal), filter)
      const { queryKey } = listQuery(view.kind, filter)
      client.setQueryData<ListData>(queryKey, (before) => {
        const after = before && withPage(before, from, page)
        if (before && after) onLoad(before, after)
        return after
      })
      return from
    },
    enabled: gap !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}
