import { sql } from 'drizzle-orm'
import { check, pgTable, text } from 'drizzle-orm/pg-core'
import { instant, now } from './columns.ts'

/** Facts about the database as a whole, each with its time. */
export const markers = pgTable(
  'markers',
  {
    /**
     * `retention`: the clean-up last succeeded. `demonstration`: everything in the database may be
     * deleted each night; only `npm run demo-setup` writes it.
     */
    name: text({ enum: ['retention', 'demonstration'] }).primaryKey(),
    at: instant('at').notNull().default(now),
  },
  (table) => [check('markers_name_known', sql`${table.name} in ('retention', 'demonstration')`)],
)
