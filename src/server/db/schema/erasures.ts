import { sql } from 'drizzle-orm'
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { instant, now } from './columns.ts'

/**
 * What was erased on request, so that it is erased again when an older backup is restored. The
 * hashes name nobody.
 */
export const erasures = pgTable(
  'erasures',
  {
    /** `address`: everything held on an e-mail address. `record`: one record. */
    what: text({ enum: ['address', 'record'] }).notNull(),
    /** HMAC of the address in lower case, or of the record's id, under `AUTH_SECRET`. */
    hash: text().notNull(),
    /** What came after this is not meant. */
    erasedAt: instant('erased_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.what, table.hash] }),
    check('erasures_what_known', sql`${table.what} in ('address', 'record')`),
  ],
)
