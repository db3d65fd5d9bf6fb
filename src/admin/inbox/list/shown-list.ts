import {
  type Group,
  type GroupCounts,
  groups,
  type KindPath,
  type ListMeta,
} from '#contract/inbox.ts'
import { keys } from '../../record/keys.ts'
import { pageSize, type RecordPage } from '../../record/list-records.ts'
import type { Filter, InboxRecord, Patch } from '../../record/record.ts'
import { queryClient } from '../../session/query-client.ts'

/** A list as it is shown: the loaded pages, with the changes that are on their way. */
export interface ShownList {
  meta: ListMeta
  /** Rows in all, loaded or not. */
  count: number
  /** Rows by when an answer is owed; null in a list of another order. */
  groups: GroupCounts | null
  /** The loaded rows, by place. */
  rows: ReadonlyMap<number, InboxRecord>
  /** The place of a loaded row, or -1. */
  placeOf: (id: string | undefined) => number
  /** Page of the row at a place. */
  pageOf: (place: number) => number
}

/**
 * True if a change of staff has taken a record out of a list: by box, status or assignee. What a
 * search, dates or an order make of it is for the server to say.
 */
const isTakenOut = ({ box, status, assignee }: InboxRecord, filter: Filter): boolean =>
  box !== (filter.box ?? 'inbox') ||
  (filter.status !== undefined && status !== filter.status) ||
  (filter.assignee !== undefined &&
    (assignee ?? 'none').toLowerCase() !== filter.assignee.toLowerCase())

/** The counts of a list that holds one group alone: those of the others are not in it. */
const inGroup = (counts: GroupCounts, only: Group | undefined): GroupCounts =>
  only === undefined
    ? counts
    : { late: 0, due: 0, open: 0, snoozed: 0, waiting: 0, done: 0, [only]: counts[only] }

/** The counts without the record that the server has at this place. */
const without = (counts: GroupCounts, place: number): GroupCounts => {
  let end = 0
  const group = groups.find((one) => {
    end += counts[one]
    return place < end
  })
  return group ? { ...counts, [group]: counts[group] - 1 } : counts
}

interface LoadedPage {
  page: number
  updatedAt: number
  data: RecordPage
}

const loadedPages = (kind: KindPath, filter: Filter): LoadedPage[] =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: keys.list(kind, filter) })
    .flatMap(({ queryKey, state }) => {
      const data = state.data as RecordPage | undefined
      return data ? [{ page: Number(queryKey.at(-1)), updatedAt: state.dataUpdatedAt, data }] : []
    })
    .sort((a, b) => a.page - b.page)

/** The known part of a list; undefined before its first page. */
export const shownList = (
  kind: KindPath,
  filter: Filter,
  patches: ReadonlyMap<string, Patch>,
): ShownList | undefined => {
  const pages = loadedPages(kind, filter)
  const latest = pages.reduce<LoadedPage | undefined>(
    (a, b) => (a && a.updatedAt >= b.updatedAt ? a : b),
    undefined,
  )
  if (!latest) return undefined
  const rows = new Map<number, InboxRecord>()
  const places = new Map<string, number>()
  let takenOut = 0
  let counts = inGroup(latest.data.meta.groups, filter.group)
  for (const { page, data } of pages)
    for (const [index, stored] of data.data.entries()) {
      const patch = patches.get(stored._id)
      const record = patch ? { ...stored, ...patch } : stored
      const place = page * pageSize + index - takenOut
      if (isTakenOut(record, filter)) {
        takenOut += 1
        counts = without(counts, place)
        continue
      }
      // Between two fetches a record may have moved to the next page: it is shown once.
      if (places.has(record._id)) continue
      places.set(record._id, place)
      rows.set(place, record)
    }
  return {
    meta: latest.data.meta,
    count: Math.max(0, latest.data.meta.matching - takenOut),
    groups: filter.sort === 'due' ? counts : null,
    rows,
    placeOf: (id) => (id === undefined ? -1 : (places.get(id) ?? -1)),
    pageOf: (place) => Math.floor((place + takenOut) / pageSize),
  }
}
