import type { Box, Group, SpamReason, WaitingFor } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Source } from '#contract/submission.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import {
  boolean,
  check,
  type ExtraConfigColumn,
  index,
  integer,
  jsonb,
  text,
  uuid,
} from '#server/db/pg-core.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { id, instant, isKnown, now } from './columns.ts'

export const recordColumns = <Status extends string>(statuses: readonly [Status, ...Status[]]) => ({
  id: id(),
  name: text().notNull(),
  email: text().notNull(),
  status: text().$type<Status>().notNull().default(statuses[0]),
  /** The username that last set the status, and the time. */
  actedBy: text('acted_by'),
  actedAt: instant('acted_at'),
  assigneeId: uuid('assignee_id').references(() => users.id, { onDelete: 'set null' }),
  box: text().$type<Box>().notNull().default('inbox'),
  /** The box of a record before it went to the trash, and the time of that. */
  trashedFrom: text('trashed_from').$type<Exclude<Box, 'trash'>>(),
  trashedAt: instant('trashed_at'),
  spam: text().array().$type<SpamReason[]>(),
  source: jsonb().$type<Source>(),
  /** The version of the terms that the sender agreed to, and when. */
  consentTerms: text('consent_terms'),
  consentAt: instant('consent_at'),
  /** Staff exempted the record from the retention rules. */
  keep: boolean().notNull().default(false),
  /**
   * The time of the promised answer. It stays when the answer is given, and counts while
   * `waitingFor` is `us`.
   */
  dueAt: instant('due_at'),
  /** The time of the answer; null while it is owed. */
  answeredAt: instant('answered_at'),
  /** The side that answers next; null if nothing is left to answer. */
  waitingFor: text('waiting_for').$type<WaitingFor>().default('us'),
  lastMessageAt: instant('last_message_at'),
  snoozedUntil: instant('snoozed_until'),
  heardAt: instant('heard_at').notNull().default(now),
  seenAt: instant('seen_at'),
  withdrawnAt: instant('withdrawn_at'),
  version: integer().notNull().default(1),
  createdAt: instant('created_at').notNull().default(now),
  updatedAt: instant('updated_at').notNull().default(now),
  /** Everything that a search looks at, in lower case, a line a field. */
  search: text().notNull(),
  /** SHA-256 of the long text, to see the same text come again. */
  textHash: text('text_hash').notNull(),
})

/** The default of `dueAt` where an answer is promised. */
export const promisedTime = sql.raw(`now() + interval '${limits.promiseHours} hours'`)

/** Columns of the row `r` whose sender did what we owe an answer to; an older promise stays. */
export const owesAnswer = sql`waiting_for = 'us', answered_at = null, last_message_at = now(), snoozed_until = null,
  due_at = case when r.waiting_for = 'us' then least(r.due_at, ${promisedTime}) else ${promisedTime} end`

type Column = SQL | ExtraConfigColumn

interface OwedRow {
  waitingFor: Column
  withdrawnAt: Column
  dueAt: Column
  snoozedUntil: Column
}

export const isOwed = (row: Pick<OwedRow, 'waitingFor' | 'withdrawnAt'>): SQL =>
  sql`${row.waitingFor} = 'us' and ${row.withdrawnAt} is null`

const isWithThem = (row: Pick<OwedRow, 'waitingFor' | 'withdrawnAt'>): SQL =>
  sql`${row.waitingFor} = 'them' and ${row.withdrawnAt} is null`

const isDone = (row: Pick<OwedRow, 'waitingFor' | 'withdrawnAt'>): SQL =>
  sql`(${row.waitingFor} is null or ${row.withdrawnAt} is not null)`

const isAwake = (row: Pick<OwedRow, 'snoozedUntil'>): SQL =>
  sql`coalesce(${row.snoozedUntil} <= now(), true)`

/** The condition of each group. Every record is in exactly one. */
export const groupConditions = (row: OwedRow): Record<Group, SQL> => ({
  late: sql`${isOwed(row)} and ${isAwake(row)} and ${row.dueAt} < now()`,
  due: sql`${isOwed(row)} and ${isAwake(row)} and ${row.dueAt} >= now()`,
  open: sql`${isOwed(row)} and ${isAwake(row)} and ${row.dueAt} is null`,
  snoozed: sql`${isOwed(row)} and ${row.snoozedUntil} > now()`,
  waiting: isWithThem(row),
  done: isDone(row),
})

export const groupOf = (row: OwedRow): SQL<Group> => {
  const conditions = Object.entries(groupConditions(row))
  return sql`(case ${sql.join(
    conditions.map(([group, holds]) => sql`when ${holds} then ${sql.raw(`'${group}'`)}`),
    sql` `,
  )} end)`
}

/** A part of the order of `sort=due` that one index gives. */
interface Segment {
  holds: SQL
  /** A time; the id comes second. */
  key: Column
  isDescending: boolean
}

/**
 * The order of `sort=due`: late and due by their time, to answer by arrival, snoozed by the end of the
 * snooze, then what waits for its sender and what is done, newest first.
 */
export const dueSegments = (row: OwedRow & { createdAt: Column }): readonly Segment[] => {
  const { open, snoozed, waiting, done } = groupConditions(row)
  const timed = sql`${isOwed(row)} and ${isAwake(row)} and ${row.dueAt} is not null`
  return [
    { holds: timed, key: row.dueAt, isDescending: false },
    { holds: open, key: row.createdAt, isDescending: false },
    { holds: snoozed, key: row.snoozedUntil, isDescending: false },
    { holds: waiting, key: row.createdAt, isDescending: true },
    { holds: done, key: row.createdAt, isDescending: true },
  ]
}

// Ascending throughout: read backwards they serve `order by … desc` as it stands.
/** Indexes for the inbox's lists, search and look-ups, and what must be true of every row. */
export const recordConstraints = (
  name: string,
  statuses: readonly string[],
  table: Record<keyof ReturnType<typeof recordColumns>, ExtraConfigColumn>,
) => [
  index(`${name}_newest_idx`).on(table.box, table.createdAt, table.id),
  index(`${name}_status_newest_idx`).on(table.box, table.status, table.createdAt, table.id),
  index(`${name}_heard_idx`).on(table.box, table.heardAt),
  index(`${name}_name_idx`).on(table.box, sql`lower(${table.name})`, table.id),
  index(`${name}_status_name_idx`).on(table.box, table.status, sql`lower(${table.name})`, table.id),
  // Counts of what is due today and of what is snoozed read these two alone.
  index(`${name}_owed_idx`)
    .on(table.box, table.dueAt, table.id, table.snoozedUntil, table.status, table.assigneeId)
    .where(isOwed(table)),
  index(`${name}_snoozed_idx`)
    .on(table.box, table.snoozedUntil, table.id, table.dueAt, table.status, table.assigneeId)
    .where(sql`${isOwed(table)} and ${table.snoozedUntil} is not null`),
  index(`${name}_open_idx`)
    .on(table.box, table.createdAt, table.id)
    .where(sql`${isOwed(table)} and ${table.dueAt} is null`),
  index(`${name}_waiting_idx`).on(table.box, table.createdAt, table.id).where(isWithThem(table)),
  index(`${name}_done_idx`).on(table.box, table.createdAt, table.id).where(isDone(table)),
  index(`${name}_fell_due_idx`)
    .on(table.box, table.dueAt, table.answeredAt)
    .where(sql`${table.answeredAt} is not null`),
  index(`${name}_assignee_idx`).on(table.assigneeId, table.box, table.createdAt, table.id),
  index(`${name}_email_idx`).on(sql`lower(${table.email})`),
  index(`${name}_text_idx`).on(table.textHash, table.createdAt),
  index(`${name}_trashed_idx`).on(table.trashedAt),
  index(`${name}_search_idx`).using('gin', table.search.op('gin_trgm_ops')),
  isKnown(`${name}_status_known`, table.status, statuses),
  isKnown(`${name}_waiting_for_known`, table.waitingFor, ['us', 'them']),
  isKnown(`${name}_box_known`, table.box, ['inbox', 'spam', 'trash']),
  check(
    `${name}_trash_whole`,
    sql`(${table.box} = 'trash') = (${table.trashedAt} is not null) and (${table.box} = 'trash') = (${table.trashedFrom} is not null)`,
  ),
]
