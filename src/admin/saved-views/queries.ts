import { queryOptions, useQuery } from '@tanstack/react-query'
import type { BodyInput } from '#contract/http/endpoint.ts'
import { addView, changeView, listViews, removeView, type View } from '#contract/views.ts'
import { useKeyedMutation } from '../browser/use-key-for.ts'
import {
  defaultSort,
  hashOf,
  type InboxSearch,
  inboxSearch,
  isFiltered,
  isSameFilter,
} from '../inbox/list/inbox-url.ts'
import { keys } from '../record/keys.ts'
import type { KindView } from '../record/kinds/kind-view.ts'
import { views } from '../record/kinds/views.ts'
import { listRecords } from '../record/list-records.ts'
import type { Filter } from '../record/record.ts'
import { ask } from '../session/session.ts'
import { isOff } from '../site.ts'

/** A saved view; its filter may hold what the list no longer knows, and says so when it is opened. */
export type SavedView = Omit<View, 'filter'> & { filter: Filter }

export const savedViewsQuery = queryOptions({
  queryKey: keys.savedViews,
  queryFn: async ({ signal }) => {
    const { data } = await ask(listViews, {}, { signal })
    // A part of the site that is switched off has no list.
    return (data as SavedView[]).filter(({ kind }) => !isOff(kind))
  },
  staleTime: 60_000,
})

/** The name of the saved view that a list shows; undefined without one. */
export const useSavedName = (view: KindView, search: InboxSearch): string | undefined => {
  const isAsked = isFiltered(search)
  const { data = [] } = useQuery({ ...savedViewsQuery, enabled: isAsked })
  const shown = data.find(({ kind, filter }) => kind === view.kind && isSameFilter(filter, search))
  return isAsked ? shown?.name : undefined
}

/** The link of a saved view: its filter in the URL, its search text in the fragment. */
export const savedLink = ({ kind, filter }: Pick<SavedView, 'kind' | 'filter'>) => {
  const { q, sort, ...others } = filter
  const search = sort === defaultSort(filter) ? others : { ...others, sort }
  return {
    to: `/admin/${kind}` as const,
    search: inboxSearch(views[kind])(search),
    hash: hashOf(q),
  }
}

/** The number of records of a saved view, if that costs the server nothing. */
export const savedCountQuery = ({ kind, filter }: SavedView) =>
  queryOptions({
    queryKey: keys.savedCount(kind, filter),
    queryFn: async ({ signal }) => {
      const { meta } = await listRecords(
        kind,
        { ...filter, limit: 1 },
        { signal, background: true },
      )
      return meta.matching
    },
    // Counts are stored for these; others would have to count rows.
    enabled: !filter.q && !filter.from && !filter.to,
    staleTime: 15_000,
    retry: false,
  })

export const useAddView = () =>
  useKeyedMutation(keys.savedViews, (body: BodyInput<typeof addView>, options) =>
    ask(addView, { body }, options),
  )

type ViewChanges = BodyInput<typeof changeView> & { id: string; filter?: Filter }

export const useChangeView = () =>
  useKeyedMutation(keys.savedViews, ({ id, ...body }: ViewChanges, options) =>
    ask(changeView, { params: { id }, body }, options),
  )

export const useRemoveView = () =>
  useKeyedMutation(keys.savedViews, (id: string, options) =>
    ask(removeView, { params: { id } }, options),
  )
