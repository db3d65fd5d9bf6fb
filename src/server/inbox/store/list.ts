import { type SQL, sql } from 'drizzle-orm'
import type { ListMeta } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { jsonObject } from '#server/db/json.ts'
import { rows } from '#server/db/rows.ts'
import { recordCounts } from '#server/db/schema/record-counts.ts'
import { dueOrder, isOwed } from '#server/db/schema/records.ts'
import { type Cursor, listName, readCursor, writeCursor } from '#server/http/cursor.ts'
import type { Kind } from '#server/kinds/kind.ts'
import type { BlindReader } from '#server/kinds/store/hidden.ts'
import { recordJson, row } from '#server/kinds/store.ts'
import type { InboxRecord, ListQuery } from '../contract.ts'
import {
  assigneeId,
  type Filter,
  filterConditions,
  hasStoredCounts,
  isFound,
  type Order,
  sortOrder,
  toFilter,
} from './filter.ts'
import { blindFilter, type ShownRow, shownColumns, shownRecord } from './shown.ts'

const NOBODY = sql.raw(`'00000000-0000-0000-0000-000000000000'::uuid`)

const afterCursor = ({ key, type, after }: Order, cursor: Cursor | undefined): SQL =>
  cursor ? sql`and (${key}, r.id) ${after} (${cursor.key}::${type}, ${cursor.id}::uuid)` : sql``

const withStatus = ({ status }: Filter): SQL => (status ? sql`and r.status = ${status}` : sql``)

/**
 * The sort, beginning with what the filter holds fixed: an index on assignee, box and time is
 * recognised as sorted even for records without an assignee.
 */
const orderBy = ({ key, direction }: Order, { assignee }: Filter): SQL =>
  assignee === undefined
    ? sql`${key} ${direction}, r.id ${direction}`
    : sql`r.assignee_id ${direction}, r.box ${direction}, ${key} ${direction}, r.id ${direction}`

/** Which window of the matching records. */
interface PageWindow {
  /** At most. */
  count: number
  /** After this one. */
  cursor?: Cursor | undefined
  /** How many to pass over, from there. */
  skip?: number | undefined
}

/** Matching rows in order, straight off an index where one has that order. */
export const pageRows = (
  kind: Kind,
  filter: Filter,
  { count, cursor, skip = 0 }: PageWindow,
): SQL => {
  const order = sortOrder(filter)
  const matching = sql`from ${kind.table} r
    where ${filterConditions(kind, filter)} ${withStatus(filter)} ${afterCursor(order, cursor)}
    order by ${orderBy(order, filter)}`
  if (skip === 0) return sql`select r.* ${matching} limit ${count}`
  // What is passed over is counted on the index; only the rows that are shown are read.
  return sql`
    select r.* from (select r.id ${matching} limit ${count} offset ${skip}) as place
    join ${kind.table} r on r.id = place.id`
}

const isDue = sql.raw('(r.snoozed_until is null or r.snoozed_until <= now())')
const tomorrow = sql`date_trunc('day', now(), 'UTC') + interval '1 day'`
/** The beginning of the UTC day, as a time without a zone. */
const today = sql.raw(`date_trunc('day', now() at time zone 'UTC')`)

/** How many of a status are owed an answer, and how many of them late or within the UTC day. */
const owedCounts = (owed: SQL): SQL => sql`
  count(*) filter (where ${owed}) as owed,
  count(*) filter (where ${owed} and ${isDue} and r.due_at < now()) as late,
  count(*) filter (where ${owed} and ${isDue} and r.due_at >= now() and r.due_at < ${tomorrow}) as today`

/** The page off an index; stored counts, and of what is due within the UTC day the rows themselves. */
const storedParts = (kind: Kind, filter: Filter, window: PageWindow) => {
  const whose =
    filter.assignee === undefined
      ? sql``
      : sql`and assignee_id = ${filter.assignee === 'none' ? NOBODY : assigneeId(filter.assignee)}`
  return {
    near: sql``,
    page: pageRows(kind, filter, window),
    counts: sql`
      select c.status, c.n, c.owed, c.late + coalesce(d.late, 0) as late, coalesce(d.today, 0) as today
      from (
        select status, sum(n) as n,
          coalesce(sum(n) filter (where owed_day < 'infinity'), 0) as owed,
          coalesce(sum(n) filter (where owed_day < ${today}::date), 0) as late
        from ${recordCounts}
        where kind = ${kind.path} and box = ${filter.box} ${whose} group by status
      ) as c
      left join (
        select r.status, ${owedCounts(sql`true`)} from ${kind.table} r
        where ${filterConditions(kind, filter)} ${withStatus(filter)} and ${isOwed(row)}
          and ${dueOrder(row)} >= extract(epoch from ${today})
          and ${dueOrder(row)} < extract(epoch from ${today} + interval '1 day')
        group by r.status
      ) as d on d.status = c.status`,
  }
}

/** How many of the first rows in order are looked through before the search index is asked. */
const NEAR = 1_000

/**
 * A page of a search. A word that many records hold fills a page from the first rows in order, long
 * before the search index has named all that hold it; a rare one is found by that index at once.
 * Which it is shows by trying: nothing hangs on what the database believes about the word.
 */
const searchedPage = (kind: Kind, filter: Filter, window: PageWindow) => {
  const { count, cursor, skip = 0 } = window
  const order = sortOrder(filter)
  const isFull = sql`(select count(*) from near) = ${count}`
  return {
    near: sql`
      near as materialized (
        select r.* from (${pageRows(kind, { ...filter, q: undefined }, { count: NEAR, cursor })}) as r
        where ${isFound(kind, filter)}
        order by ${order.key} ${order.direction}, r.id ${order.direction}
        limit ${count} offset ${skip}
      ),`,
    page: sql`
      select * from near where ${isFull}
      union all
      select * from (${pageRows(kind, filter, window)}) as r where not ${isFull}`,
  }
}

/** Without stored counts: the page by itself, and every match counted. */
const countedParts = (kind: Kind, filter: Filter, window: PageWindow) => ({
  ...(filter.q === undefined
    ? { near: sql``, page: pageRows(kind, filter, window) }
    : searchedPage(kind, filter, window)),
  counts: sql`
    select r.status, count(*) as n, ${owedCounts(isOwed(row))} from ${kind.table} r
    where ${filterConditions(kind, filter)} group by r.status`,
})

/**
 * One statement: the page, the counts by status, and the boxes.
 *
 * @param columns what is answered of each row `r`
 */
export const listStatement = (
  kind: Kind,
  filter: Filter,
  window: PageWindow,
  columns: Readonly<Record<string, SQL>> = { record: recordJson(kind) },
): SQL => {
  const order = sortOrder(filter)
  const parts = (hasStoredCounts(filter) ? storedParts : countedParts)(kind, filter, window)
  return sql`with ${parts.near}
    page as (${parts.page}),
    counts as (${parts.counts}),
    boxes as (select box, sum(n) as n from ${recordCounts} where kind = ${kind.path} group by box)
    select
      (
        select coalesce(
          json_agg(
            ${jsonObject({ ...columns, id: sql`r.id`, key: order.text })}
            order by ${order.key} ${order.direction}, r.id ${order.direction}
          ), '[]')
        from page r
      ) as page,
      (
        select coalesce(
          json_object_agg(status, json_build_object('n', n, 'owed', owed, 'late', late, 'today', today)), '{}')
        from counts
      ) as counts,
      (select coalesce(json_object_agg(box, n), '{}') from boxes) as boxes`
}

interface CountsOfStatus {
  n: number
  /** Owed an answer; `late` and `today` are among them. */
  owed: number
  late: number
  today: number
}

interface Found {
  page: (ShownRow & { id: string; key: string })[]
  counts: Record<string, CountsOfStatus>
  boxes: Partial<ListMeta['boxes']>
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

const groupsOf = (counts: readonly CountsOfStatus[]): ListMeta['groups'] => {
  const of = (name: keyof CountsOfStatus): number => sum(counts.map((one) => one[name]))
  const [late, today] = [of('late'), of('today')]
  return { late, today, later: of('owed') - late - today, done: of('n') - of('owed') }
}

/** A page of the inbox with its counts, in one round trip. */
export const list = async (
  db: Database,
  kind: Kind,
  query: ListQuery,
  viewer: BlindReader,
): Promise<{ data: InboxRecord[]; meta: ListMeta }> => {
  const filter = blindFilter(kind, viewer, toFilter(query))
  const { hidden, ...named } = filter
  const size = query.limit ?? limits.page.default
  // Keys of rows differ where names are hidden, so a cursor belongs to one of both lists.
  const name = listName(kind.path, { ...named, blind: hidden && viewer.blind })
  const { keyIs } = sortOrder(filter)
  const cursor = query.cursor === undefined ? undefined : readCursor(name, query.cursor, keyIs)

  // One row more than is shown tells whether there is another page.
  const window = { count: size + 1, cursor, skip: query.skip }
  const [found] = await rows<Found>(
    db,
    listStatement(kind, filter, window, shownColumns(kind, viewer)),
  )
  if (!found) throw new Error('A list answered no row')
  const shown = found.page.slice(0, size)
  const last = found.page.length > size ? shown.at(-1) : undefined
  const counts = Object.fromEntries(
    kind.statuses.map((status) => [status, found.counts[status]?.n ?? 0]),
  )
  const boxes = { inbox: 0, spam: 0, trash: 0, ...found.boxes }
  return {
    data: shown.map((one) => shownRecord(kind, one)),
    meta: {
      total: boxes[filter.box],
      matching: filter.status ? (counts[filter.status] ?? 0) : sum(Object.values(counts)),
      counts,
      boxes,
      groups: groupsOf(
        Object.entries(found.counts).flatMap(([status, count]) =>
          filter.status === undefined || filter.status === status ? [count] : [],
        ),
      ),
      nextCursor: last ? writeCursor(name, last) : null,
    },
  }
}
