import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { instant, now } from './columns.ts'

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' })

/** The time at which a member of staff last opened a record. */
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

/** From when on somebody’s unread records of a kind count; without a row, from 30 days before the account. */
export const unreadSince = pgTable(
  'unread_since',
  {
    userId: userId(),
    kind: text().$type<KindPath>().notNull(),
    at: instant('at').notNull().default(now),
  },
  (table) => [primaryKey({ columns: [table.userId, table.kind] })],
)
