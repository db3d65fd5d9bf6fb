import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query'
import type { CallOptions } from '#client/call.ts'
import type { KindPath, ListMeta } from '#contract/inbox.ts'
import { anyKind } from '#contract/kinds.ts'
import { limits } from '#contract/limits.ts'
import { queryClient } from '../session/query-client.ts'
import { ask } from '../session/session.ts'
import { blindFor, shownRow } from './blind.ts'
import { keys } from './keys.ts'
import type { Filter, InboxRecord, Patch } from './record.ts'

export interface RecordPage {
  data: InboxRecord[]
  meta: ListMeta
}

interface PageWindow {
  limit?: number
  cursor?: string | undefined
  skip?: number | undefined
}

/**
 * Options of a call that a query makes. Fetching again what is already shown is polling: it does not
 * count as use of the session.
 */
export const queryCall = ({ client, queryKey, signal }: QueryFunctionContext): CallOptions => ({
  signal,
  background: client.getQueryData(queryKey) !== undefined,
})

/** A search text stands in the body, so that no person's data stands in a request line. */
export const listRecords = async (
  kind: KindPath,
  given: Filter & PageWindow,
  options: CallOptions = {},
): Promise<RecordPage> => {
  const query = { ...given, ...blindFor(kind) }
  const { data, meta } = query.q
    ? await ask(anyKind[kind].search, { body: query }, options)
    : await ask(anyKind[kind].list, { query }, options)
  return { data: data.map(shownRow), meta }
}

export const pageSize = limits.page.default

/** A scrollbar that is dragged past a page within this time does not load it. */
const passingMs = 60

/** One page of a list, counted from 0. Polling, arrivals and changes invalidate it. */
export const pageQuery = (kind: KindPath, filter: Filter, page: number) =>
  queryOptions<RecordPage>({
    queryKey: keys.page(kind, filter, page),
    queryFn: async (context) => {
      const options = queryCall(context)
      if (page > 0 && !options.background) {
        await new Promise((resolve) => setTimeout(resolve, passingMs))
        context.signal.throwIfAborted()
      }
      const skip = page * pageSize || undefined
      return listRecords(kind, { ...filter, limit: pageSize, skip }, options)
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

const pollEveryMs = 15_000

/** The newest that a poll looks at: what has arrived since is counted up to here. */
export const polledRecords = 10

/** The newest records and the counts: tells whether the loaded pages are out of date. Not in a hidden tab. */
export const pollQuery = (kind: KindPath, filter: Filter) =>
  queryOptions<RecordPage>({
    queryKey: keys.poll(kind, filter),
    queryFn: ({ signal }) =>
      listRecords(
        kind,
        { ...filter, sort: '-createdAt', limit: polledRecords },
        { signal, background: true },
      ),
    refetchInterval: pollEveryMs,
    refetchOnWindowFocus: 'always',
    staleTime: pollEveryMs / 2,
    gcTime: 0,
    retry: false,
  })

/** Changes rows of every loaded page, before the server is asked again. */
export const patchRows = (kind: KindPath, patches: ReadonlyMap<string, Patch>): void => {
  queryClient.setQueriesData<RecordPage>({ queryKey: keys.lists(kind) }, (page) => {
    if (!page?.data.some(({ _id }) => patches.has(_id))) return page
    const data = page.data.map((row) => {
      const patch = patches.get(row._id)
      return patch ? { ...row, ...patch } : row
    })
    return { ...page, data }
  })
}
