import { bigint, boolean, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, now } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/** Public keys of staff: reading this table does not let anyone sign in. */
export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** The authenticator's own id of the credential, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE, base64url. */
    publicKey: text('public_key').notNull(),
    /** Heeded while the key is not backed up: a copy of it would show here. */
    counter: bigint({ mode: 'number' }).notNull(),
    /** True if the key can be backed up, which never changes. */
    backupEligible: boolean('backup_eligible').notNull(),
    /** True if it was backed up when it was last used. */
    backedUp: boolean('backed_up').notNull(),
    transports: text().array().notNull(),
    createdAt: instant('created_at').notNull().default(now),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user_idx').on(table.userId)],
)
