import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { limits } from '#contract/limits.ts'
import type { KindView } from './kind-view.ts'
import { rowHeightPx } from './list.tsx'
import { isNews, type ListData, mergeHead, rowsOf } from './list-data.ts'
import { listQuery, withOverlays } from './queries.ts'
import type { Filter } from './record.ts'
import { listRecords } from './wire.ts'

const glanceEveryMs = 15_000

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
) => {
  const client = useQueryClient()
  const [count, setCount] = useState(0)
  const shift = useRef(0)

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
        const fresh = { ...head, data: head.data.map(withOverlays) }
        const merged = mergeHead(known, fresh, filter, openId)
        const seen = new Set(rowsOf(known).map((record) => record._id))
        const added = rowsOf(merged).findIndex((record) => seen.has(record._id))
        if (added > 0) {
          shift.current += added
          setCount((old) => old + added)
        }
        client.setQueryData<ListData>(queryKey, merged)
      })
      .catch(() => undefined)
    return () => {
      current = false
    }
  }, [glance, key])

  // Rows that came in above push the rest down; the view goes along with them.
  useLayoutEffect(() => {
    if (shift.current === 0) return
    const by = shift.current * rowHeightPx()
    shift.current = 0
    const element = pane.current
    if (!element) return
    if (element.scrollHeight > element.clientHeight + 1) element.scrollTop += by
    else if (window.scrollY > 0) window.scrollBy(0, by)
  })

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
