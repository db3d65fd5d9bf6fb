import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** Devices that get notifications. */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the endpoint: a device has one subscription, of the account that asked last. */
    endpointHash: text('endpoint_hash').notNull().unique(),
    /** Endpoint and keys, encrypted under `AUTH_SECRET`. */
    sealed: text().notNull(),
    /** The account's version when it subscribed: a new password, e-mail or role raises it, which ends this one. */
    credentialVersion: integer('credential_version').notNull(),
    createdAt: instant('created_at').notNull().default(now),
    /** From when on it gets notifications: what came before is no news. */
    activeSince: instant('active_since').notNull().default(now),
  },
  (table) => [index('push_subscriptions_user_idx').on(table.userId)],
)
