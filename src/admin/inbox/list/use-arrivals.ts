import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { KindPath } from '#contract/inbox.ts'
import { keys } from '../api/keys.ts'
import { pollQuery, type RecordPage } from '../api/list-records.ts'
import type { Filter } from '../api/record.ts'

/** Whether a poll shows anything that the first page does not. */
const isNews = (page: RecordPage, poll: RecordPage): boolean => {
  const seen = ({ data: [top], meta }: RecordPage) =>
    JSON.stringify([top?._id, top?.version, meta.matching, meta.counts, meta.boxes])
  return seen(page) !== seen(poll)
}

const newestOf = ({ data }: RecordPage): string =>
  data
    .map(({ createdAt }) => createdAt)
    .sort()
    .at(-1) ?? ''

/**
 * Polls while the tab is visible, and fetches the pages in view again when something has changed.
 * Gives the number of records that have arrived at the top since the list was opened or last looked at.
 */
export const useArrivals = (kind: KindPath, filter: Filter, first: RecordPage | undefined) => {
  const client = useQueryClient()
  const { data: poll, dataUpdatedAt } = useQuery({
    ...pollQuery(kind, filter),
    enabled: first !== undefined,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each poll is compared once
  useEffect(() => {
    const queryKey = keys.page(kind, filter, 0)
    const state = client.getQueryState<RecordPage>(queryKey)
    if (!poll || !state?.data || state.dataUpdatedAt > dataUpdatedAt) return
    if (isNews(state.data, poll))
      void client.invalidateQueries({ queryKey: keys.list(kind, filter) })
  }, [dataUpdatedAt])

  const [seen, setSeen] = useState<{ filter: Filter; newest: string } | null>(null)
  if (first && seen?.filter !== filter) setSeen({ filter, newest: newestOf(first) })
  const isNewestFirst = filter.sort === undefined
  const count =
    first && seen?.filter === filter && isNewestFirst
      ? first.data.filter(({ createdAt }) => createdAt > seen.newest).length
      : 0
  return { count, onSeen: () => first && setSeen({ filter, newest: newestOf(first) }) }
}
