import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** The newest code that a record's sender was mailed to confirm an export or an erasure with. */
export const recordCodes = pgTable('record_codes', {
  recordId: uuid('record_id').primaryKey(),
  /** HMAC of record and code under `AUTH_SECRET`. */
  codeHash: text('code_hash').notNull(),
  tries: integer().notNull().default(0),
  /** A code that was used ends at once. */
  expiresAt: instant('expires_at').notNull(),
})
