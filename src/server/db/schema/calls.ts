import { sql } from '#server/db/drizzle.ts'
import {
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uuid,
} from '#server/db/pg-core.ts'
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

/**
 * Sliding windows: one row for each thing that is limited, with the moments that still count. One
 * upsert counts and decides at once, under the row's lock, so that parallel calls cannot slip by.
 * A statement that must fail as a whole when the limit is reached leans on the check; one that only
 * wants to know adds a condition to its upsert.
 */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /**
     * The name of the limit, then a keyed hash of the address or IP: neither is stored in clear.
     */
    key: text().primaryKey(),
    hits: timestamp({ withTimezone: true, precision: 3 }).array().notNull(),
    max: integer().notNull(),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [
    check('rate_limits_within', sql`cardinality(${table.hits}) <= ${table.max}`),
    index('rate_limits_updated_idx').on(table.updatedAt),
  ],
)
