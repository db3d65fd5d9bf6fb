import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  type ExtraConfigColumn,
  index,
  integer,
  jsonb,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Box, SpamReason, WaitingFor } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Source } from '#contract/submission.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { id, instant, now } from './columns.ts'

/** The columns that every kind of submission has; a kind adds its own fields. */
export const recordColumns = <Status extends string>(statuses: readonly [Status, ...Status[]]) => ({
  id: id(),
  name: text().notNull(),
  email: text().notNull(),
  status: text().$type<Status>().notNull().default(statuses[0]),
  /** Who last set the status, by the name of the time, and when. */
  actedBy: text('acted_by'),
  actedAt: instant('acted_at'),
  assigneeId: uuid('assignee_id').references(() => users.id, { onDelete: 'set null' }),
  box: text().$type<Box>().notNull().default('inbox'),
  /** Where a record in the trash came from, and when it was thrown away. */
  trashedFrom: text('trashed_from').$type<Exclude<Box, 'trash'>>(),
  trashedAt: instant('trashed_at'),
  spam: text().array().$type<SpamReason[]>(),
  source: jsonb().$type<Source>(),
  /** The version of the terms that the sender agreed to, and when. */
  consentTerms: text('consent_terms'),
  consentAt: instant('consent_at'),
  /** Staff exempted the record from the retention rules. */
  keep: boolean().notNull().default(false),
  /** When an answer was promised. It stays when it is given, and counts while `waitingFor` is `us`. */
  dueAt: instant('due_at'),
  /** Who is to answer next. */
  waitingFor: text('waiting_for').$type<WaitingFor>().default('us'),
  /** Of the last message or reply. */
  lastMessageAt: instant('last_message_at'),
  snoozedUntil: instant('snoozed_until'),
  /** When staff first had it open. */
  seenAt: instant('seen_at'),
  /** When the sender took it back. */
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

type Column = SQL | ExtraConfigColumn

/** Whether a record is owed an answer. */
export const isOwed = (row: { waitingFor: Column; withdrawnAt: Column }): SQL =>
  sql`${row.waitingFor} = 'us' and ${row.withdrawnAt} is null`

/**
 * The order of `sort=due` as one ascending number, so that an index gives it: seconds of the promised
 * time, or of the snooze's end where that is later; then what is owed without a time; then what is
 * not owed, newest first.
 */
export const dueOrder = (row: {
  waitingFor: Column
  withdrawnAt: Column
  dueAt: Column
  snoozedUntil: Column
  createdAt: Column
}): SQL => sql`(case
  when ${row.waitingFor} is distinct from 'us' or ${row.withdrawnAt} is not null
    then 10000000000000::numeric - extract(epoch from ${row.createdAt} at time zone 'UTC')
  when ${row.dueAt} is null then 1000000000000::numeric
  else extract(epoch from greatest(${row.dueAt}, ${row.snoozedUntil}) at time zone 'UTC')
end)`

type RecordTable = Record<keyof ReturnType<typeof recordColumns>, ExtraConfigColumn>

const list = (values: readonly string[]): SQL =>
  sql.raw(values.map((value) => `'${value}'`).join(', '))

// Ascending throughout: read backwards they serve `order by … desc` as it stands.
/** Indexes for the inbox's lists, search and look-ups, and what must be true of every row. */
export const recordConstraints = (
  name: string,
  statuses: readonly string[],
  table: RecordTable,
) => [
  index(`${name}_newest_idx`).on(table.box, table.createdAt, table.id),
  index(`${name}_status_newest_idx`).on(table.box, table.status, table.createdAt, table.id),
  index(`${name}_name_idx`).on(table.box, sql`lower(${table.name})`, table.id),
  index(`${name}_status_name_idx`).on(table.box, table.status, sql`lower(${table.name})`, table.id),
  index(`${name}_due_idx`).on(table.box, dueOrder(table), table.id),
  index(`${name}_status_due_idx`).on(table.box, table.status, dueOrder(table), table.id),
  index(`${name}_assignee_due_idx`).on(table.assigneeId, table.box, dueOrder(table), table.id),
  // Counts by due time read this alone.
  index(`${name}_owed_idx`)
    .on(table.box, table.dueAt, table.snoozedUntil, table.status, table.assigneeId)
    .where(isOwed(table)),
  index(`${name}_assignee_idx`).on(table.assigneeId, table.box, table.createdAt, table.id),
  index(`${name}_email_idx`).on(sql`lower(${table.email})`),
  index(`${name}_text_idx`).on(table.textHash, table.createdAt),
  index(`${name}_trashed_idx`).on(table.trashedAt),
  index(`${name}_search_idx`).using('gin', table.search.op('gin_trgm_ops')),
  check(`${name}_status_known`, sql`${table.status} in (${list(statuses)})`),
  check(`${name}_waiting_for_known`, sql`${table.waitingFor} in ('us', 'them')`),
  check(`${name}_box_known`, sql`${table.box} in ('inbox', 'spam', 'trash')`),
  check(
    `${name}_trash_whole`,
    sql`(${table.box} = 'trash') = (${table.trashedAt} is not null) and (${table.box} = 'trash') = (${table.trashedFrom} is not null)`,
  ),
]
