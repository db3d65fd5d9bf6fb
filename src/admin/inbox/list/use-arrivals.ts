import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { limits } from '#contract/limits.ts'
import { listRecords } from '../api/endpoints.ts'
import type { Filter } from '../api/record.ts'
import type { KindView } from '../kinds/kind-view.ts'
import { isNews, mergeHead } from '../list-data.ts'
import { type ListData, placeOf, rowsOf } from '../places.ts'
import { listQuery, withOverlaysOnPage } from '../queries.ts'

const glanceEveryMs = 15_000

/** How many rows came in above what was there. */
const addedAbove = (before: ListData, after: ListData): number => {
  const known = new Set(rowsOf(after).map(({ _id }) => _id))
  const stayed = rowsOf(before).find(({ _id }) => known.has(_id))
  return stayed ? placeOf(after, stayed._id) - placeOf(before, stayed._id) : 0
}

/**
 * Looks at the server now and then (never while the tab is hidden): one record and the figures. Only
 * when they differ is the head of the list fetched and merged, and what is in view stays in view.
 */
export const useArrivals = (
  view: KindView,
  filter: Filter,
  list: ListData | undefined,
  openId: string | undefined,
  pane: RefObject<HTMLElement | null>,
  hold: (before: ListData, after: ListData) => void,
) => {
  const client = useQueryClient()
  const [count, setCount] = useState(0)

  const { data: glance } = useQuery({
    queryKey: ['glance', view.kind, filter],
    queryFn: ({ signal }) => listRecords(view.kind, { ...filter, limit: 1 }, signal),
    enabled: list !== undefined,
    initialData: undefined,
    refetchInterval: glanceEveryMs,
    refetchOnWindowFocus: 'always',
    staleTime: glanceEveryMs / 2,
    gcTime: 0,
    retry: false,
  })

  const { queryKey } = listQuery(view.kind, filter)
  const key = JSON.stringify(queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each glance is looked at once
  useEffect(() => {
    const before = client.getQueryData<ListData>(queryKey)
    if (!glance || !before || !isNews(before, glance)) return
    let current = true
    void listRecords(view.kind, { ...filter, limit: limits.page.default })
      .then((head) => {
        const known = client.getQueryData<ListData>(queryKey)
        if (!current || !known) return
        const merged = mergeHead(known, withOverlaysOnPage(head, filter), filter, openId)
        setCount((old) => old + Math.max(0, addedAbove(known, merged)))
        hold(known, merged)
        client.setQueryData<ListData>(queryKey, merged)
      })
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [glance, key])

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has its own arrivals
  useEffect(() => setCount(0), [key])

  const show = () => {
    setCount(0)
    pane.current?.scrollTo({ top: 0 })
    if (!pane.current || pane.current.scrollHeight <= pane.current.clientHeight + 1)
      window.scrollTo({ top: 0 })
  }
  return { count, show }
}
