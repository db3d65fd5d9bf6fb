import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** The address under which a member of staff reads their own appointments as a calendar. */
export const calendarLinks = pgTable('calendar_links', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** SHA-256 of its token. */
  tokenHash: text('token_hash').notNull().unique(),
  /** The account's version when the address was made: a new password, e-mail or role ends it. */
  credentialVersion: integer('credential_version').notNull(),
  createdAt: instant('created_at').notNull().default(now),
})
