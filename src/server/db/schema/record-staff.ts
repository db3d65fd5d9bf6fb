import type { KindPath } from '#contract/inbox.ts'
import { index, jsonb, pgTable, primaryKey, text, unique, uuid } from '#server/db/pg-core.ts'
import { userId, users } from '#server/db/schema/accounts/users.ts'
import { applications } from './applications.ts'
import { id, instant, now } from './columns.ts'

export const recordWriters = pgTable(
  'record_writers',
  {
    recordId: uuid('record_id').notNull(),
    userId: userId(),
    at: instant('at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.recordId, table.userId] }),
    index('record_writers_user_idx').on(table.userId),
  ],
)

/** Answers that staff have begun, each read by its author alone. */
export const drafts = pgTable(
  'drafts',
  {
    recordId: uuid('record_id').notNull(),
    userId: userId(),
    recordKind: text('record_kind').$type<KindPath>().notNull(),
    text: text().notNull(),
    subject: text(),
    at: instant('at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.recordId, table.userId] }),
    index('drafts_user_idx').on(table.userId, table.recordKind),
  ],
)

export const recordReads = pgTable(
  'record_reads',
  {
    userId: userId(),
    recordId: uuid('record_id').notNull(),
    recordKind: text('record_kind').$type<KindPath>().notNull(),
    at: instant('at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.recordId] }),
    index('record_reads_record_idx').on(table.recordId),
  ],
)

/** When somebody’s unread records of a kind begin to count; without a row, 30 days before the account. */
export const unreadSince = pgTable(
  'unread_since',
  {
    userId: userId(),
    kind: text().$type<KindPath>().notNull(),
    at: instant('at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)

/** Scores of an application by each member of staff; deleted with it. */
export const applicationScores = pgTable(
  'application_scores',
  {
    id: id(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** Null for an account that is deleted by now: the score stays. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The username at that time. */
    by: text('by').notNull(),
    /** 1 to 4 by the key of the criterion. */
    criteria: jsonb().$type<Record<string, number>>().notNull(),
    comment: text(),
    createdAt: instant('created_at').notNull().default(now),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [
    unique('application_scores_own').on(table.applicationId, table.userId),
    index('application_scores_user_idx').on(table.userId),
  ],
)
