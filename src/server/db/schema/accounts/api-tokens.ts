import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { Scope } from '#contract/http/access.ts'
import { id, instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

export const apiTokens = pgTable(
  'api_tokens',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    /** SHA-256 of the token, which has 192 random bits. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The account's version when the token was made: a new password, e-mail or role ends it. */
    credentialVersion: integer('credential_version').notNull(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at'),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('api_tokens_user_idx').on(table.userId)],
)
