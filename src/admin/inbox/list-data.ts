import type { InfiniteData } from '@tanstack/react-query'
import type { ListMeta } from '#contract/inbox.ts'
import type { Filter, InboxRecord } from './record.ts'
import type { RecordPage } from './wire.ts'

/** Pure changes of a loaded list: pages in, pages out. */

export type ListData = InfiniteData<RecordPage, string | undefined>

/** One record as it was and as it will be. */
export interface Pair {
  before: InboxRecord
  after: InboxRecord
}

/** The list's figures stand with its first page. */
export const metaOf = (list: ListData): ListMeta | undefined => list.pages[0]?.meta

export const rowsOf = (list: ListData): InboxRecord[] => list.pages.flatMap((page) => page.data)

const holdsText = (record: InboxRecord, text: string): boolean => {
  const wanted = text.toLocaleLowerCase()
  return Object.values(record).some(
    (value) => typeof value === 'string' && value.toLocaleLowerCase().includes(wanted),
  )
}

/** Whether a filter selects a record, leaving the status aside. */
const isCandidate = (record: InboxRecord, filter: Filter): boolean =>
  record.box === (filter.box ?? 'inbox') &&
  (!filter.assignee ||
    (filter.assignee === 'none' ? !record.assignee : record.assignee === filter.assignee)) &&
  (!filter.from || record.createdAt >= filter.from) &&
  (!filter.to || record.createdAt.slice(0, filter.to.length) <= filter.to) &&
  (!filter.q || holdsText(record, filter.q))

export const matches = (record: InboxRecord, filter: Filter): boolean =>
  isCandidate(record, filter) && (!filter.status || record.status === filter.status)

/** Orders as the server does: by the key, then by the id, which grows with time. */
export const compare = (filter: Filter) => (a: InboxRecord, b: InboxRecord) => {
  const sort = filter.sort ?? '-createdAt'
  const direction = sort.startsWith('-') ? -1 : 1
  const byName = sort.endsWith('name') ? a.name.localeCompare(b.name) : 0
  return direction * (byName || (a._id < b._id ? -1 : a._id > b._id ? 1 : 0))
}

const adjustMeta = (meta: ListMeta, pairs: readonly Pair[], filter: Filter): ListMeta => {
  const counts = { ...meta.counts }
  const boxes = { ...meta.boxes }
  let matching = meta.matching
  const move = (record: InboxRecord, by: 1 | -1) => {
    boxes[record.box] += by
    if (isCandidate(record, filter)) counts[record.status] = (counts[record.status] ?? 0) + by
    if (matches(record, filter)) matching += by
  }
  for (const { before, after } of pairs) {
    move(before, -1)
    move(after, 1)
  }
  return { ...meta, counts, boxes, matching, total: boxes[filter.box ?? 'inbox'] }
}

/** Puts a record where the order wants it, if that place is loaded. */
const insert = (pages: RecordPage[], record: InboxRecord, filter: Filter): RecordPage[] => {
  const order = compare(filter)
  for (const [index, page] of pages.entries()) {
    const at = page.data.findIndex((row) => order(record, row) < 0)
    const isEnd = index === pages.length - 1 && page.meta.nextCursor === null
    if (at < 0 && !isEnd) continue
    const data = at < 0 ? [...page.data, record] : page.data.toSpliced(at, 0, record)
    return pages.with(index, { ...page, data })
  }
  return pages
}

/** The list after some of its records, or of the records it might hold, have changed. */
export const applyPairs = (list: ListData, pairs: readonly Pair[], filter: Filter): ListData => {
  const first = list.pages[0]
  if (!first) return list
  const changed = new Map(pairs.map(({ after }) => [after._id, after]))
  const seen = new Set<string>()
  let pages = list.pages.map((page) => {
    if (!page.data.some((row) => changed.has(row._id))) return page
    const data = page.data.flatMap((row) => {
      const after = changed.get(row._id)
      if (!after) return [row]
      seen.add(row._id)
      return matches(after, filter) ? [after] : []
    })
    return { ...page, data }
  })
  for (const record of changed.values())
    if (!seen.has(record._id) && matches(record, filter)) pages = insert(pages, record, filter)
  const meta = adjustMeta(first.meta, pairs, filter)
  return { ...list, pages: pages.map((page, index) => (index === 0 ? { ...page, meta } : page)) }
}

/**
 * Takes over a fresh first page: what is new goes in at its place, what others changed is replaced,
 * and what they took away from this stretch leaves, except the record that is open.
 */
export const mergeHead = (
  list: ListData,
  head: RecordPage,
  filter: Filter,
  openId?: string,
): ListData => {
  const first = list.pages[0]
  if (!first) return list
  const fresh = new Map(head.data.map((row) => [row._id, row]))
  const order = compare(filter)
  const last = head.data.at(-1)
  const isCovered = (row: InboxRecord) =>
    head.meta.nextCursor === null || (last !== undefined && order(row, last) <= 0)
  const known = new Set<string>()
  let pages = list.pages.map((page) => {
    let touched = false
    const data = page.data.flatMap((row) => {
      known.add(row._id)
      const now = fresh.get(row._id)
      if (now && now.version !== row.version) touched = true
      if (now) return [now.version === row.version ? row : now]
      if (row._id === openId || !isCovered(row)) return [row]
      touched = true
      return []
    })
    return touched ? { ...page, data } : page
  })
  for (const row of head.data) if (!known.has(row._id)) pages = insert(pages, row, filter)
  const meta = { ...head.meta, nextCursor: first.meta.nextCursor }
  return { ...list, pages: pages.map((page, index) => (index === 0 ? { ...page, meta } : page)) }
}

/** Whether a glance at the server (figures and first record) shows anything that the list lacks. */
export const isNews = (list: ListData, glance: RecordPage): boolean => {
  const meta = metaOf(list)
  const top = glance.data[0]
  const mine = list.pages[0]?.data[0]
  return (
    !meta ||
    top?._id !== mine?._id ||
    (top?.version ?? 0) > (mine?.version ?? 0) ||
    JSON.stringify([meta.matching, meta.counts, meta.boxes]) !==
      JSON.stringify([glance.meta.matching, glance.meta.counts, glance.meta.boxes])
  )
}
