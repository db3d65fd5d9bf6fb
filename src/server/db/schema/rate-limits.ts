import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { instant, now } from './columns.ts'

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
