import type { KindPath } from '#contract/inbox.ts'
import type { SetupKey } from '#contract/setup.ts'
import type { StoredFilter } from '#contract/views.ts'
import { sql } from '#server/db/drizzle.ts'
import { boolean, check, index, integer, jsonb, pgTable, text, uuid } from '#server/db/pg-core.ts'
import { users } from './accounts/users.ts'
import { id, instant, now } from './columns.ts'

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

export const setupSteps = pgTable('setup_steps', {
  key: text().$type<SetupKey>().primaryKey(),
  /** `done` only for a mail that arrived at its provider, and for a backup. */
  state: text({ enum: ['open', 'skipped', 'done'] }).notNull(),
  at: instant('at').notNull().default(now),
})

export const templates = pgTable('templates', {
  id: id(),
  name: text().notNull(),
  text: text().notNull(),
  /** The kind of record that it is for; null for all. */
  kind: text().$type<KindPath>(),
  version: integer().notNull().default(1),
  createdAt: instant('created_at').notNull().default(now),
})

export const views = pgTable(
  'views',
  {
    id: id(),
    /** Null once the account is deleted: what it shared stays. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    kind: text().$type<KindPath>().notNull(),
    filter: jsonb().$type<StoredFilter>().notNull(),
    shared: boolean().notNull(),
    /** Its place among the owner's views of its kind, ascending; ties by id. */
    place: integer().notNull(),
    version: integer().notNull().default(1),
    createdAt: instant('created_at').notNull().default(now),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [index('views_user_idx').on(table.userId)],
)
