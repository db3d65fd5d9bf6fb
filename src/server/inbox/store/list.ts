import { type Group, groups, type ListMeta, type Match } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { jsonObject } from '#server/db/json.ts'
import { oneRow, run } from '#server/db/rows.ts'
import { recordCounts } from '#server/db/schema/counts.ts'
import { groupOf } from '#server/db/schema/records.ts'
import { type Cursor, listName, readCursor, writeCursor } from '#server/http/cursor.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { refuseUnknownChoice } from '#server/kinds/store/choice.ts'
import { storedGroups, withZeroGroups } from '#server/kinds/store/groups.ts'
import type { BlindReader } from '#server/kinds/store/hidden.ts'
import { recordJson, row } from '#server/kinds/store/record.ts'
import type { ListQuery } from '../contract.ts'
import { countDrafts } from './drafts.ts'
import {
  assigneeId,
  type Filter,
  filterConditions,
  foundApart,
  foundText,
  hasStoredCounts,
  isFoundByRow,
  matchOf,
  type Order,
  segmentsAfter,
  sortOrder,
  toFilter,
  withStatusAndGroup,
} from './filter.ts'
import { blindFilter, type ShownRow, shownColumns, shownRecord, withoutPerson } from './shown.ts'

const NOBODY = sql.raw(`'00000000-0000-0000-0000-000000000000'::uuid`)

const afterCursor = ({ key, type, after }: Order, cursor: Cursor | undefined): SQL =>
  cursor ? sql`and (${key}, r.id) ${after} (${cursor.key}::${type}, ${cursor.id}::uuid)` : sql``

/**
 * The sort, beginning with what the filter holds fixed: an index on assignee, box and time is
 * recognised as sorted even for records without an assignee.
 */
const orderBy = ({ key, direction }: Pick<Order, 'key' | 'direction'>, { assignee }: Filter) =>
  assignee === undefined
    ? sql`${key} ${direction}, r.id ${direction}`
    : sql`r.assignee_id ${direction}, r.box ${direction}, ${key} ${direction}, r.id ${direction}`

interface PageWindow {
  count: number
  cursor?: Cursor | undefined
  skip?: number | undefined
}

const added = (numbers: readonly SQL[]): SQL =>
  numbers.length === 0 ? sql`0` : sql.join([...numbers], sql` + `)

/**
 * Matching rows in the order of `sort=due`: segment after segment off its index. A segment takes what the
 * ones before it left of the page, so those that are not reached are not read.
 */
const dueRows = (
  kind: Kind,
  filter: Filter,
  { count, cursor, skip = 0 }: PageWindow,
  from: SQL,
): SQL => {
  const columns = sql.raw(skip > 0 ? 'r.id' : 'r.*')
  const parts: SQL[] = []
  const taken: SQL[] = []
  const passed: SQL[] = []
  for (const [n, segment] of segmentsAfter(cursor?.key).entries()) {
    const { holds, time, isDescending, at } = segment
    const direction = sql.raw(isDescending ? 'desc' : 'asc')
    const [name, size] = [sql.raw(`s${n}`), sql.raw(`size${n}`)]
    const after = at
      ? sql`and (${time}, r.id) ${sql.raw(isDescending ? '<' : '>')} (${at}, ${cursor?.id}::uuid)`
      : sql``
    const matching = sql`from ${from} r
      where ${filterConditions(kind, filter)} ${withStatusAndGroup(filter)} and ${holds} ${after}`
    if (skip > 0) parts.push(sql`${size} as materialized (select count(*) as n ${matching})`)
    parts.push(sql`${name} as materialized (
      select ${columns} ${matching}
      order by ${isDescending ? orderBy({ key: sql`${time}`, direction }, filter) : sql`${time}, r.id`}
      limit ${count}::int - (${added(taken)})
      ${skip > 0 ? sql`offset greatest(0, ${skip}::int - (${added(passed)}))` : sql``}
    )`)
    taken.push(sql`(select count(*) from ${name})`)
    passed.push(sql`(select n from ${size})`)
  }
  const all = taken.map((_, n) => sql.raw(`select * from s${n}`))
  const page = sql`with ${sql.join(parts, sql`, `)} ${sql.join(all, sql` union all `)}`
  if (skip === 0) return page
  // Skipped records are counted on the index; only the rows that are shown are read, each by its
  // id.
  return sql`select r.* from (${page}) as place
    cross join lateral (select * from ${kind.table} r where r.id = place.id limit 1) as r`
}

/** Matching rows in order, straight off an index where one has that order; all or those of `from`. */
export const pageRows = (
  kind: Kind,
  filter: Filter,
  window: PageWindow,
  from = sql`${kind.table}`,
): SQL => {
  if (filter.sort === 'due') return dueRows(kind, filter, window, from)
  const { count, cursor, skip = 0 } = window
  const order = sortOrder(filter)
  const matching = sql`from ${from} r
    where ${filterConditions(kind, filter)} ${withStatusAndGroup(filter)} ${afterCursor(order, cursor)}
    order by ${orderBy(order, filter)}`
  if (skip === 0) return sql`select r.* ${matching} limit ${count}`
  return sql`
    select r.* from (select r.id ${matching} limit ${count} offset ${skip}) as place
    join ${kind.table} r on r.id = place.id`
}

const storedParts = (kind: Kind, filter: Filter, window: PageWindow) => {
  const { box, assignee } = filter
  const whose =
    assignee === undefined
      ? sql``
      : sql` and assignee_id = ${assignee === 'none' ? NOBODY : assigneeId(assignee)}`
  return {
    near: sql``,
    page: pageRows(kind, filter, window),
    counts: storedGroups(kind, {
      stored: sql`box = ${box}${whose}`,
      live: filterConditions(kind, filter),
    }),
  }
}

/** The number of first rows in order that are looked through before the search index is asked. */
const NEAR = 1_000

/**
 * A page of a search. A word that many records hold fills a page from the first rows in order, long
 * before the search index has named all that hold it; a rare one is found by that index at once.
 * Which it is shows by trying: nothing hangs on what the database believes about the word.
 */
const searchedPage = (kind: Kind, filter: Filter, window: PageWindow) => {
  const { count, cursor, skip = 0 } = window
  const order = sortOrder(filter)
  const inOrder = sql`order by ${order.key} ${order.direction}, ${order.ties}
        limit ${count} offset ${skip}`
  const isFull = sql`(select count(*) from near) = ${count}`
  const others = { ...filter, q: undefined }
  const firstOf = foundApart(kind, filter).map((found) => {
    // The offset makes the database find first and order then.
    const from = sql`(select * from ${kind.table} r where ${found} offset 0)`
    return sql`select id from (${pageRows(kind, others, { count: skip + count, cursor }, from)}) as f`
  })
  return {
    near: sql`
      near as materialized (
        select r.* from (${pageRows(kind, others, { count: NEAR, cursor })}) as r
        where ${isFoundByRow(kind, filter)} ${inOrder}
      ),`,
    page: sql`
      select * from near where ${isFull}
      union all
      select r.* from (
        select r.id from ${kind.table} r
        where r.id in (${sql.join(firstOf, sql` union all `)}) ${inOrder}
      ) as place join ${kind.table} r on r.id = place.id
      where not ${isFull}`,
  }
}

/** Uses no stored counts: the page by itself, and every match counted. */
const countedParts = (kind: Kind, filter: Filter, window: PageWindow) => {
  const isSearch = filter.q !== undefined
  const others = filterConditions(kind, { ...filter, q: undefined })
  const counts = (isSearch ? foundApart(kind, filter) : [sql`true`]).map(
    (found) => sql`
      select r.status, ${groupOf(row)} as "group", count(*) as n from ${kind.table} r
      where ${others} and ${found} group by 1, 2`,
  )
  return {
    ...(isSearch
      ? searchedPage(kind, filter, window)
      : { near: sql``, page: pageRows(kind, filter, window) }),
    counts: sql.join(counts, sql` union all `),
  }
}

/**
 * One statement: the page, the counts by status and group, and the boxes.
 *
 * @param columns what is answered of each row `r`
 * @param drafts how many of them the reader has begun to answer
 */
export const listStatement = (
  kind: Kind,
  filter: Filter,
  window: PageWindow,
  columns: Readonly<Record<string, SQL>> = { record: recordJson(kind) },
  drafts: SQL = sql`0`,
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
            order by ${order.key} ${order.direction}, ${order.ties}
          ), '[]')
        from page r
      ) as page,
      (
        select coalesce(json_object_agg(status, by_group), '{}') from (
          select status, json_object_agg("group", n) as by_group from (
            select status, "group", sum(n) as n from counts group by 1, 2
          ) as t group by 1
        ) as t
      ) as counts,
      (select coalesce(json_object_agg(box, n), '{}') from boxes) as boxes,
      ${drafts} as drafts`
}

interface Found {
  page: (ShownRow & { id: string; key: string; found?: Match | null })[]
  counts: Record<string, Partial<Record<Group, number>>>
  boxes: Partial<ListMeta['boxes']>
  drafts: number
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)

/** Each count follows every filter but its own. */
const countsOf = (
  statuses: readonly string[],
  found: Found['counts'],
  { status, group }: Pick<Filter, 'status' | 'group'>,
): Pick<ListMeta, 'matching' | 'counts' | 'groups'> => {
  const inGroups = (counts: Partial<Record<Group, number>> = {}): number =>
    group ? (counts[group] ?? 0) : sum(Object.values(counts))
  const counts = Object.fromEntries(statuses.map((one) => [one, inGroups(found[one])]))
  const chosen = status ? [found[status] ?? {}] : Object.values(found)
  return {
    matching: status ? (counts[status] ?? 0) : sum(Object.values(counts)),
    counts,
    groups: withZeroGroups(
      Object.fromEntries(groups.map((one) => [one, sum(chosen.map((by) => by[one] ?? 0))])),
    ),
  }
}

export const list = async (db: Database, kind: Kind, query: ListQuery, viewer: BlindReader) => {
  const wanted = toFilter(query)
  await refuseUnknownChoice(db, kind, wanted.own)
  const filter = blindFilter(kind, viewer, wanted)
  const { hidden, ...named } = filter
  const size = query.limit ?? limits.page.default
  // Keys of rows differ where names are hidden, so a cursor belongs to one of both lists.
  const name = listName(kind.path, { ...named, blind: hidden && viewer.blind })
  const { keyIs } = sortOrder(filter)
  const cursor = query.cursor === undefined ? undefined : readCursor(name, query.cursor, keyIs)

  // One row more than is shown tells whether there is another page.
  const window = { count: size + 1, cursor, skip: query.skip }
  const columns = {
    ...shownColumns(kind, viewer),
    ...(filter.q !== undefined && { found: foundText(kind, filter) }),
  }
  const drafts = countDrafts(kind, filter.box, viewer.id)
  const found = await oneRow<Found>(db, listStatement(kind, filter, window, columns, drafts))
  const shown = found.page.slice(0, size)
  const last = found.page.length > size ? shown.at(-1) : undefined
  const boxes = { inbox: 0, spam: 0, trash: 0, ...found.boxes }
  return {
    data: shown.map((one) => {
      const record = shownRecord(kind, one)
      return filter.q === undefined
        ? record
        : { ...record, match: matchOf(kind, filter, record, one.found ?? null) }
    }),
    meta: {
      total: boxes[filter.box],
      boxes,
      ...countsOf(kind.statuses, found.counts, filter),
      drafts: found.drafts,
      nextCursor: last ? writeCursor(name, last) : null,
    },
  }
}

/** Rows that one statement of an export reads. */
export const BATCH = 1_000

export const nextBatch = async (
  db: Database,
  kind: Kind,
  filter: Filter,
  cursor: Cursor | undefined,
): Promise<(Cursor & { record: Record<string, unknown> })[]> => {
  const order = sortOrder(filter)
  const found = await run(
    db
      .select({
        record: recordJson(kind),
        isHidden: sql<boolean>`${filter.hidden ?? sql`false`}`,
        id: sql<string>`r.id`,
        key: order.text,
      })
      .from(sql`(${pageRows(kind, filter, { count: BATCH, cursor })}) as r`)
      .orderBy(sql`${order.key} ${order.direction}`, order.ties),
  )
  return found.map(({ id, key, record, isHidden }) => ({
    id,
    key,
    record: isHidden ? withoutPerson(kind, record) : record,
  }))
}
