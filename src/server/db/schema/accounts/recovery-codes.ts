import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** Recovery codes of accounts: a used one is deleted. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the account's id and the code, which has 120 random bits. */
    hash: text().notNull(),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('recovery_codes_user_idx').on(table.userId),
  ],
)
