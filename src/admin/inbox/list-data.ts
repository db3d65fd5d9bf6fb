import type { ListMeta } from '#contract/inbox.ts'
import type { RecordPage } from './api/endpoints.ts'
import type { Filter, InboxRecord } from './api/record.ts'
import {
  insertRow,
  type ListData,
  listOf,
  mapRows,
  removeUnseen,
  rowsOf,
  underHead,
} from './places.ts'

/** Pure changes of a list: what staff did, and what came or went at the server. */

/** One record as it was and as it will be. */
export interface Pair {
  before: InboxRecord
  after: InboxRecord
}

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

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Orders as the server does: by the key, then by the id. */
export const compare = (filter: Filter) => (a: InboxRecord, b: InboxRecord) => {
  const sort = filter.sort ?? '-createdAt'
  const direction = sort.startsWith('-') ? -1 : 1
  const byKey = sort.endsWith('name')
    ? a.name.localeCompare(b.name)
    : ascending(a.createdAt, b.createdAt)
  return direction * (byKey || ascending(a._id, b._id))
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

/** The list after some of its records, or of the records it might hold, have changed. */
export const applyPairs = (list: ListData, pairs: readonly Pair[], filter: Filter): ListData => {
  const order = compare(filter)
  const changed = new Map(pairs.map((pair) => [pair.after._id, pair]))
  const seen = new Set<string>()
  let result = mapRows(list, (row) => {
    const pair = changed.get(row._id)
    if (!pair) return row
    seen.add(row._id)
    return matches(pair.after, filter) ? pair.after : null
  })
  for (const { before, after } of changed.values()) {
    if (seen.has(after._id) || matches(before, filter) === matches(after, filter)) continue
    result = matches(after, filter)
      ? insertRow(result, after, order)
      : removeUnseen(result, before, order)
  }
  return { ...result, meta: adjustMeta(list.meta, pairs, filter) }
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
  const { data, meta } = head
  const known = new Set(rowsOf(list).map(({ _id }) => _id))
  if (known.size > 0 && meta.nextCursor !== null && !data.some(({ _id }) => known.has(_id))) {
    // More has come than one page holds, or nothing is as it was.
    const grown = meta.matching - list.meta.matching
    return grown >= data.length ? underHead(list, listOf(head), grown) : listOf(head)
  }
  const fresh = new Map(data.map((row) => [row._id, row]))
  const order = compare(filter)
  const last = data.at(-1)
  const isCovered = (row: InboxRecord) =>
    meta.nextCursor === null || (last !== undefined && order(row, last) <= 0)
  let result = mapRows(list, (row) => {
    const now = fresh.get(row._id)
    if (now) return now.version === row.version ? row : now
    return row._id === openId || !isCovered(row) ? row : null
  })
  for (const row of data) if (!known.has(row._id)) result = insertRow(result, row, order)
  return { ...result, meta }
}

/** Whether a glance at the server (figures and first record) shows anything that the list lacks. */
export const isNews = ({ meta, stretches }: ListData, glance: RecordPage): boolean => {
  const top = glance.data[0]
  const mine = stretches[0]?.rows[0]
  return (
    top?._id !== mine?._id ||
    (top?.version ?? 0) > (mine?.version ?? 0) ||
    JSON.stringify([meta.matching, meta.counts, meta.boxes]) !==
      JSON.stringify([glance.meta.matching, glance.meta.counts, glance.meta.boxes])
  )
}
