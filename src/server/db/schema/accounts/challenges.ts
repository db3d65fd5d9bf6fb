import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/**
 * A sign-in or a new passkey that has been begun. An answer deletes the row before it is checked, so that
 * a challenge works once, however many answers come at the same time.
 */
export const challenges = pgTable(
  'challenges',
  {
    id: id(),
    /**
     * `second_factor`: the password was right. `passkey`: a sign-in or step-up with a passkey. `new_passkey`:
     * one is being added.
     */
    purpose: text({ enum: ['second_factor', 'passkey', 'new_passkey'] }).notNull(),
    /** SHA-256 of the challenge as the client holds it, 192 random bits. */
    hash: text().notNull().unique(),
    /** The text for a passkey to sign, base64url. */
    passkeyChallenge: text('passkey_challenge'),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** The account's when the password was verified. */
    credentialVersion: integer('credential_version'),
    /** As in `devices`, where the client named its device. */
    device: text(),
    /** Second factors that were wrong. */
    failures: integer().notNull().default(0),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    index('challenges_user_idx').on(table.userId),
    index('challenges_expiry_idx').on(table.expiresAt),
    check(
      'challenges_purpose_known',
      sql`${table.purpose} in ('second_factor', 'passkey', 'new_passkey')`,
    ),
  ],
)
