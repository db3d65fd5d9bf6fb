import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import type { StoredFilter } from '#contract/views.ts'
import { users } from './accounts/users.ts'
import { id, instant, now } from './columns.ts'

/** Saved views of the lists. */
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
