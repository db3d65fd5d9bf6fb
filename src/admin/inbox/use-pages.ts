import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { usePatches } from '../changes/change.ts'
import type { KindView } from '../record/kinds/kind-view.ts'
import { pageQuery } from '../record/list-records.ts'
import type { Filter, InboxRecord } from '../record/record.ts'
import { queryClient } from '../session/query-client.ts'
import { filterOf, type InboxSearch } from './list/inbox-url.ts'
import { shownList } from './list/shown-list.ts'

/** The list that the URL asks for. Until its first page is there, the list before it stays. */
export const usePages = (view: KindView, search: InboxSearch) => {
  const listKey = JSON.stringify(filterOf(search))
  const filter = useMemo(() => JSON.parse(listKey) as Filter, [listKey])
  const { data, isPlaceholderData, ...query } = useQuery({
    ...pageQuery(view.kind, filter, 0),
    placeholderData: keepPreviousData,
  })
  const [shownFilter, setShownFilter] = useState(filter)
  if (data && !isPlaceholderData && shownFilter !== filter) setShownFilter(filter)
  const patches = usePatches(view.kind)
  /** With all pages that are loaded at this moment. */
  const currentList = () => shownList(view.kind, shownFilter, patches)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pages are read from the cache, and `data` says when
  const list = useMemo(() => (data ? currentList() : undefined), [data, patches, shownFilter])
  return {
    ...query,
    listKey,
    filter,
    shownFilter,
    list,
    /** The first page, if it is that of this list. */
    first: isPlaceholderData ? undefined : data,
    currentList,
    recordAt: async (place: number): Promise<InboxRecord | undefined> => {
      const from = currentList()
      if (from && !from.rows.has(place))
        await queryClient.ensureQueryData(pageQuery(view.kind, shownFilter, from.pageOf(place)))
      return currentList()?.rows.get(place)
    },
  }
}

export type Pages = ReturnType<typeof usePages>
