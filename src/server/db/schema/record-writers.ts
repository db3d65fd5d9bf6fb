import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/db/schema/accounts/users.ts'
import { instant, now } from './columns.ts'

/** The last person who is writing an answer to a record. */
export const recordWriters = pgTable(
  'record_writers',
  {
    recordId: uuid('record_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    at: instant('at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.recordId, table.userId] }),
    index('record_writers_user_idx').on(table.userId),
  ],
)
