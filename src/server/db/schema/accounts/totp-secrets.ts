import { sql } from 'drizzle-orm'
import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** An account's authenticator app. Both secrets are encrypted under `AUTH_SECRET`. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** In force; null until the first one is confirmed. */
  secret: text(),
  confirmedAt: instant('confirmed_at'),
  /** Shown, and not confirmed yet. */
  pending: text(),
  /** Steps (of 30 seconds) whose codes were used lately: each works once. */
  usedSteps: bigint('used_steps', { mode: 'number' }).array().notNull().default(sql`'{}'`),
  createdAt: instant('created_at').notNull().default(now),
})
