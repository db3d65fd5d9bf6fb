import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** One row for each sign-in that still counts; a token without its row is refused. */
export const sessions = pgTable(
  'sessions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token's `jti`, a secret of 192 bits: reading this table does not let anyone sign in. */
    tokenHash: text('token_hash').notNull().unique(),
    /** Browser and system as the browser named them at sign-in. */
    browser: text(),
    /**
     * The account's, as it was when the session began. A session of an older one is over, also where
     * it began while the change was under way, which the change's own deletion cannot see.
     */
    credentialVersion: integer('credential_version').notNull().default(1),
    /** Until when acts that ask for a step-up are allowed. */
    stepUpUntil: instant('step_up_until'),
    /** As in `devices`, where the client named its device. */
    device: text(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at').notNull().default(now),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('sessions_user_idx').on(table.userId),
    index('sessions_expiry_idx').on(table.expiresAt),
  ],
)
