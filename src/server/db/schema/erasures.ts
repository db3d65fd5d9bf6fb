import { sql } from '#server/db/drizzle.ts'
import { check, pgTable, primaryKey, text } from '#server/db/pg-core.ts'
import { instant, now } from './columns.ts'

/**
 * Erasures and ended links on request, to be repeated when an older backup is restored. The hashes
 * name nobody.
 */
export const erasures = pgTable(
  'erasures',
  {
    /**
     * `address`: everything held on an e-mail address. `record`: one record. `link`: of a sender's page,
     * written by a trigger. `key`: what hashes the addresses and records.
     */
    what: text({ enum: ['address', 'record', 'link', 'key'] }).notNull(),
    /** HMAC of the address in lower case, or of the record's id; the hash of the link's token; the key. */
    hash: text().notNull(),
    /** Later data are not erased again. */
    erasedAt: instant('erased_at').notNull().default(now),
  },
  (table) => [
    primaryKey({ columns: [table.what, table.hash] }),
    check('erasures_what_known', sql`${table.what} in ('address', 'record', 'link', 'key')`),
  ],
)
