import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { listRecords, type RecordPage, readRecord } from './api/endpoints.ts'
import type { Filter, InboxRecord, RecordDetail } from './api/record.ts'
import { applyPairs, matches, type Pair } from './list-data.ts'
import { type ListData, listOf, placeOf, rowAt } from './places.ts'
import { versionOf } from './versions.ts'

const listKey = (kind: KindPath) => ['records', kind] as const
const recordKey = (kind: KindPath, id: string) => ['record', kind, id] as const

/** Changes on their way to the server: what is fetched meanwhile is shown with them. */
export const overlays = new Map<object, Map<string, Pair>>()

/** A fetched record as it will be once the changes on their way have arrived. */
export const withOverlays = <R extends InboxRecord>(record: R): R => {
  let result = record
  let earlier = 0
  for (const pairs of overlays.values()) {
    const pair = pairs.get(record._id)
    if (!pair) continue
    // Past that version it is stored already, and only its answer is slower; changes that were made
    // before it and are on their way too may have been stored meanwhile.
    if (record.version <= versionOf(pair.before) + earlier) {
      const { status, assignee, box } = pair.after
      result = { ...result, status, assignee, box }
    }
    earlier += 1
  }
  return result
}

/** A fetched page with the changes on their way: what has just left the list is not shown again. */
export const withOverlaysOnPage = (page: RecordPage, filter: Filter): RecordPage => {
  if (overlays.size === 0) return page
  const data = page.data.flatMap((row) => {
    const shown = withOverlays(row)
    return shown === row || matches(shown, filter) ? [shown] : []
  })
  return { ...page, data }
}

/**
 * A list as far as it was looked at. The first page is small, so that it is there at once; further
 * ones are taken in where the window is (`use-places.ts`).
 */
export const listQuery = (kind: KindPath, filter: Filter) =>
  queryOptions<ListData>({
    queryKey: [...listKey(kind), filter],
    queryFn: async ({ signal }) =>
      listOf(await listRecords(kind, { ...filter, limit: limits.page.default }, signal)),
    // The loaded part is kept fresh by glances at its head, never by loading all of it again.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })

/** One record with its activity; drawn at once from what a list already holds. */
export const recordQuery = (kind: KindPath, id: string, client: QueryClient) =>
  queryOptions<RecordDetail>({
    queryKey: recordKey(kind, id),
    queryFn: async ({ signal }) => withOverlays(await readRecord(kind, id, signal)),
    placeholderData: (): RecordDetail | undefined => {
      const row = findRecord(client, kind, id)
      return row && { activity: [], related: [], mail: [], ...row }
    },
    staleTime: 5_000,
  })

export const findRecord = (
  client: QueryClient,
  kind: KindPath,
  id: string,
): InboxRecord | undefined => {
  for (const [, list] of client.getQueriesData<ListData>({ queryKey: listKey(kind) })) {
    const row = list && rowAt(list, placeOf(list, id))
    if (row) return row
  }
  const detail = client.getQueryData<RecordDetail>(recordKey(kind, id))
  if (detail) return detail
  // One that has just left its list, on the way to the server.
  for (const pairs of overlays.values()) {
    const pair = pairs.get(id)
    if (pair) return pair.after
  }
  return undefined
}

/** Shows changed records in every loaded list and in the open detail. */
export const showPairs = (client: QueryClient, kind: KindPath, pairs: readonly Pair[]): void => {
  for (const [key, list] of client.getQueriesData<ListData>({ queryKey: listKey(kind) })) {
    const filter = (key[2] ?? {}) as Filter
    if (list) client.setQueryData<ListData>(key, applyPairs(list, pairs, filter))
  }
  for (const { after } of pairs)
    client.setQueryData<RecordDetail>(
      recordKey(kind, after._id),
      (detail) => detail && { ...detail, ...after },
    )
}

/** Takes over what the server answered. */
export const showAnswer = (
  client: QueryClient,
  kind: KindPath,
  before: InboxRecord,
  answer: RecordDetail,
): void => {
  const { activity: _activity, related: _related, mail: _mail, ...record } = answer
  showPairs(client, kind, [{ before, after: record }])
  client.setQueryData<RecordDetail>(recordKey(kind, answer._id), answer)
}

export const refreshRecord = (client: QueryClient, kind: KindPath, id: string) =>
  client.invalidateQueries({ queryKey: recordKey(kind, id) })

/** After changes too many to follow one by one. */
export const refreshLists = (client: QueryClient, kind: KindPath) =>
  Promise.all([
    client.resetQueries({ queryKey: listKey(kind) }),
    client.invalidateQueries({ queryKey: ['record', kind] }),
  ])
