import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant, now } from './columns.ts'

/**
 * The audit log's chain: each hash covers an entry and the hash before it, so that an entry which is
 * changed, removed or put in later shows. Rows are only ever added.
 */
export const auditSeals = pgTable('audit_seals', {
  /** 1, 2, 3, … without a gap. */
  position: bigint({ mode: 'number' }).primaryKey(),
  eventId: uuid('event_id').notNull().unique(),
  /** The kind of the entry, and its SHA-256; null in seals of the first form. */
  kind: text(),
  content: text(),
  /** SHA-256, hex. */
  hash: text().notNull(),
  sealedAt: instant('sealed_at').notNull().default(now),
})
