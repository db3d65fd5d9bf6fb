import { boolean, date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'

/**
 * The number of visits that began on a page, by source: counts alone, nothing that tells one
 * visitor from another.
 */
export const visitCounts = pgTable(
  'visit_counts',
  {
    /** UTC. */
    day: date().notNull(),
    page: text().notNull(),
    /** A campaign, the referring host, `direct` or `other`. */
    source: text().notNull(),
    /** A desktop, rather than a phone. */
    wide: boolean().notNull(),
    visits: integer().notNull().default(0),
    begun: integer().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.day, table.page, table.source, table.wide] })],
)
