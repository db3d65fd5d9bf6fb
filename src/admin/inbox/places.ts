import type { ListMeta } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { RecordPage } from './api/endpoints.ts'
import type { InboxRecord } from './api/record.ts'

/**
 * A long list of which some parts are loaded: stretches of records, each at its place, with gaps
 * between. Everything here is pure. See docs/decisions/082-jumps-in-long-lists.md.
 */
export interface ListData {
  meta: ListMeta
  /** In order; no two touch. */
  stretches: readonly Stretch[]
}

export interface Stretch {
  /** The place of the first record, counted from the top of the list. */
  start: number
  rows: readonly InboxRecord[]
  /** Leads on from the last record; null where the list ends with it. */
  nextCursor: string | null
}

/** From one place to before another. */
export interface Span {
  start: number
  end: number
}

/** What is missing at a place, and how to ask for it. */
export interface Gap {
  from: number
  /** Leads there from the records above; without one the places above are counted by the server. */
  cursor?: string
}

const endOf = ({ start, rows }: Stretch): number => start + rows.length

export const listOf = ({ data, meta }: RecordPage): ListData => ({
  meta,
  stretches: [{ start: 0, rows: data, nextCursor: meta.nextCursor }],
})

/** All that is loaded, in order. */
export const rowsOf = (list: ListData): InboxRecord[] => list.stretches.flatMap(({ rows }) => rows)

/** Records in all, loaded or not. */
export const countOf = ({ meta, stretches }: ListData): number => {
  const last = stretches.at(-1)
  if (!last) return meta.matching
  return last.nextCursor === null ? endOf(last) : Math.max(meta.matching, endOf(last))
}

const stretchAt = (list: ListData, place: number): Stretch | undefined =>
  list.stretches.find((stretch) => stretch.start <= place && place < endOf(stretch))

export const rowAt = (list: ListData, place: number): InboxRecord | undefined => {
  const stretch = stretchAt(list, place)
  return stretch?.rows[place - stretch.start]
}

/** Where a record stands, or -1 where it is not loaded. */
export const placeOf = (list: ListData, id: string): number => {
  for (const { start, rows } of list.stretches) {
    const index = rows.findIndex((row) => row._id === id)
    if (index >= 0) return start + index
  }
  return -1
}

// Gaps begin at whole multiples, so that a list scrolled through one keeps asking for the same page.
const grid = limits.page.max / 2
/** What lies this near to the window is loaded before it is seen. */
const margin = 20

const firstMissing = (list: ListData, { start, end }: Span): number | null => {
  let place = Math.max(0, start)
  for (let found = stretchAt(list, place); found; found = stretchAt(list, place))
    place = endOf(found)
  return place < Math.min(end, countOf(list)) ? place : null
}

/** What to load next for a window on the list: what is seen first, then what is about to be. */
export const gapNear = (list: ListData, window: Span): Gap | null => {
  const near = { start: window.start - margin, end: window.end + margin }
  const place = firstMissing(list, window) ?? firstMissing(list, near)
  if (place === null) return null
  const above = list.stretches.findLast(({ start }) => start <= place)
  const loaded = above ? endOf(above) : 0
  const from = Math.max(loaded, Math.floor(place / grid) * grid)
  return from === loaded && above?.nextCursor ? { from, cursor: above.nextCursor } : { from }
}

/** Joins stretches that have come to touch. */
export const joined = (stretches: readonly Stretch[]): Stretch[] => {
  const result: Stretch[] = []
  for (const stretch of stretches.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (stretch.rows.length === 0 && (last || stretch.start > 0)) continue
    if (last && endOf(last) >= stretch.start)
      result.splice(-1, 1, {
        start: last.start,
        rows: [...last.rows, ...stretch.rows],
        nextCursor: stretch.nextCursor,
      })
    else result.push(stretch)
  }
  return result
}

/**
 * Takes a page in at its place. Where records came or went meanwhile it lies a little off: records
 * that are known already say where it belongs, and no record stands twice.
 */
export const withPage = (list: ListData, from: number, { data, meta }: RecordPage): ListData => {
  const [top] = data
  if (!top) return cutAt(list, from)
  const known = placeOf(list, top._id)
  const start = known < 0 ? from : known
  const end = start + data.length
  const ids = new Set(data.map(({ _id }) => _id))
  const others = list.stretches.flatMap((stretch): Stretch[] => {
    const { rows, nextCursor } = stretch
    const first = rows.findIndex(({ _id }) => ids.has(_id))
    const last = rows.findLastIndex(({ _id }) => ids.has(_id))
    if (first >= 0)
      return [
        ...piece(rows.slice(Math.max(0, first - start), first), (kept) => start - kept, ''),
        ...piece(rows.slice(last + 1), () => end, nextCursor),
      ]
    return [
      ...piece(rows.slice(0, Math.max(0, start - stretch.start)), () => stretch.start, nextCursor),
      ...piece(
        rows.slice(Math.max(0, end - stretch.start)),
        () => Math.max(end, stretch.start),
        nextCursor,
      ),
    ]
  })
  const page = { start, rows: data, nextCursor: meta.nextCursor }
  const kept = meta.nextCursor === null ? others.filter((other) => other.start < start) : others
  return { ...list, stretches: joined([...kept, page]) }
}

const piece = (
  rows: readonly InboxRecord[],
  startOf: (count: number) => number,
  nextCursor: string | null,
): Stretch[] => (rows.length > 0 ? [{ start: startOf(rows.length), rows, nextCursor }] : [])

/** There is nothing from here on: the list has become shorter. */
const cutAt = (list: ListData, place: number): ListData => ({
  meta: { ...list.meta, matching: Math.min(list.meta.matching, place) },
  stretches: list.stretches.filter((stretch) => stretch.start < place),
})

const movedBy = (stretch: Stretch, places: number): Stretch =>
  places === 0 ? stretch : { ...stretch, start: stretch.start + places }

/** Replaces rows, or takes out those that become null; what stands below moves up. */
export const mapRows = (
  list: ListData,
  change: (row: InboxRecord) => InboxRecord | null,
): ListData => {
  let gone = 0
  const stretches = list.stretches.map((stretch) => {
    const rows = stretch.rows.flatMap((row) => change(row) ?? [])
    const moved = movedBy({ ...stretch, rows }, -gone)
    gone += stretch.rows.length - rows.length
    return moved
  })
  return { ...list, stretches: joined(stretches) }
}

type Order = (a: InboxRecord, b: InboxRecord) => number

/** Puts a record where the order wants it; if that is in a gap, what stands below moves down. */
export const insertRow = (list: ListData, record: InboxRecord, order: Order): ListData => {
  const { stretches } = list
  for (const [index, stretch] of stretches.entries()) {
    const { start, rows, nextCursor } = stretch
    const before = rows.findIndex((row) => order(record, row) < 0)
    if (before < 0 && !(nextCursor === null && index === stretches.length - 1)) continue
    const at = before < 0 ? rows.length : before
    const isInGap = at === 0 && start > 0
    const grown = isInGap
      ? movedBy(stretch, 1)
      : { ...stretch, rows: rows.toSpliced(at, 0, record) }
    const below = stretches.slice(index + 1).map((other) => movedBy(other, 1))
    return { ...list, stretches: [...stretches.slice(0, index), grown, ...below] }
  }
  return list
}

/** A record that was not loaded has gone: what stands below moves up. */
export const removeUnseen = (list: ListData, record: InboxRecord, order: Order): ListData => {
  const stretches = list.stretches.map((stretch) => {
    const [first] = stretch.rows
    return movedBy(stretch, first && stretch.start > 0 && order(record, first) < 0 ? -1 : 0)
  })
  return { ...list, stretches: joined(stretches) }
}

/** All that is loaded stands further down, under a new head. */
export const underHead = (list: ListData, head: ListData, places: number): ListData => ({
  meta: head.meta,
  stretches: joined([...head.stretches, ...list.stretches.map((other) => movedBy(other, places))]),
})
