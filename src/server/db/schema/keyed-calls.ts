import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant, now } from './columns.ts'

/**
 * Calls that came with an `Idempotency-Key`. The row is written by the statement that makes the
 * change; the answer follows. It counts for 24 hours.
 */
export const keyedCalls = pgTable(
  'keyed_calls',
  {
    id: id(),
    /** Keyed hash of who called, the path and the `Idempotency-Key`. */
    key: text().notNull().unique(),
    /** Keyed hash of the method and the parsed body, to tell a repetition from another call. */
    contentHash: text('content_hash').notNull(),
    /** The id in the path, so that what is stored about a record is erased with it. */
    targetId: uuid('target_id'),
    /** The rows that the statement answered. */
    outcome: jsonb().$type<unknown[]>().notNull(),
    /** The body of the answer; null until it is known. */
    answer: text(),
    createdAt: instant('created_at').notNull().default(now),
    /** The end of the stored answer if it is sooner than 24 hours, such as that of a code. */
    expiresAt: instant('expires_at'),
  },
  (table) => [
    index('keyed_calls_target_idx').on(table.targetId),
    index('keyed_calls_created_idx').on(table.createdAt),
  ],
)
