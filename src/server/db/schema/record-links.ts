import type { KindPath } from '#contract/inbox.ts'
import { index, integer, pgTable, text, uuid } from '#server/db/pg-core.ts'
import { id, instant, now } from './columns.ts'

/**
 * The tokens by which the sender of a record reads and answers: one in the address of their page,
 * another in the address that their mail is answered to. They are made when a mail first carries them.
 */
export const recordLinks = pgTable(
  'record_links',
  {
    id: id(),
    recordKind: text('record_kind').$type<KindPath>().notNull(),
    recordId: uuid('record_id').notNull(),
    /** SHA-256 of the page's token. */
    tokenHash: text('token_hash').notNull().unique(),
    /** SHA-256 of the reply address's token, in lower case. */
    replyHash: text('reply_hash').notNull().unique(),
    /** Both tokens, encrypted under `AUTH_SECRET`, so that each mail can carry them. */
    sealed: text().notNull(),
    createdAt: instant('created_at').notNull().default(now),
    endedAt: instant('ended_at'),
  },
  (table) => [index('record_links_record_idx').on(table.recordId)],
)

/** The newest code that a record's sender was mailed to confirm an export or an erasure with. */
export const recordCodes = pgTable('record_codes', {
  recordId: uuid('record_id').primaryKey(),
  /** HMAC of record and code under `AUTH_SECRET`. */
  codeHash: text('code_hash').notNull(),
  tries: integer().notNull().default(0),
  /** A code that was used ends at once. */
  expiresAt: instant('expires_at').notNull(),
})
