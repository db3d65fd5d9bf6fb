import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'

/** Switches for the whole installation: one row, once any was changed. */
export const siteSettings = pgTable(
  'site_settings',
  {
    id: integer().primaryKey().default(1),
    agents: boolean().notNull(),
    visits: boolean().notNull(),
  },
  (table) => [check('site_settings_one', sql`${table.id} = 1`)],
)
