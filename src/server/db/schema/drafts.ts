import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { instant, now } from './columns.ts'

/** Answers that staff have begun, each read by its author alone. */
export const drafts = pgTable(
  'drafts',
  {
    recordId: uuid('record_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
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
