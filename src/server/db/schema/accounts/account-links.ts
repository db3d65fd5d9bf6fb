import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { roles } from '#contract/http/access.ts'
import { id, instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** Links in mails to staff, each of which works once. A newer one for the same address replaces the older. */
export const accountLinks = pgTable(
  'account_links',
  {
    id: id(),
    kind: text({ enum: ['invitation', 'reset'] }).notNull(),
    /** SHA-256 of the token in the link, 256 random bits. */
    hash: text().notNull().unique(),
    email: text().notNull(),
    /**
     * Resets only: whose password. Of an invitation: who sent it; null for those from before that
     * was kept.
     */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Resets only: the account's when it was asked for, so that a change since ends the link. */
    credentialVersion: integer('credential_version'),
    /** Invitations only. */
    role: text({ enum: roles }),
    username: text(),
    createdAt: instant('created_at').notNull().default(now),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('account_links_address_key').on(table.kind, sql`lower(${table.email})`),
    index('account_links_user_idx').on(table.userId),
    index('account_links_expiry_idx').on(table.expiresAt),
    check('account_links_kind_known', sql`${table.kind} in ('invitation', 'reset')`),
  ],
)
