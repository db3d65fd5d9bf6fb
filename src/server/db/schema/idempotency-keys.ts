import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from './columns.ts'

/** The record that an `Idempotency-Key` made. A key belongs to one kind and counts for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    kind: text().notNull(),
    key: text().notNull(),
    /** SHA-256 of the parsed body, to tell a repetition from another submission. */
    bodyHash: text('body_hash').notNull(),
    recordId: uuid('record_id').notNull(),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.key] }),
    index('idempotency_keys_record_idx').on(table.recordId),
    index('idempotency_keys_created_idx').on(table.createdAt),
  ],
)
