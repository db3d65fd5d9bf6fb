import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** Devices that have signed in to an account. */
export const devices = pgTable(
  'devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the account's id and the client's random id, or the kind of browser where it has none. */
    hash: text().notNull(),
    firstUsedAt: instant('first_used_at').notNull().default(now),
    lastUsedAt: instant('last_used_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.hash] }),
    index('devices_user_idx').on(table.userId),
    index('devices_used_idx').on(table.lastUsedAt),
  ],
)
