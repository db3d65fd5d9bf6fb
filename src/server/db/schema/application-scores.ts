import { index, jsonb, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/db/schema/accounts/users.ts'
import { applications } from './applications.ts'
import { id, instant, now } from './columns.ts'

/** Scores of an application by each member of staff; deleted with it. */
export const applicationScores = pgTable(
  'application_scores',
  {
    id: id(),
    applicationId: uuid('application_id')
      .notNull()
      .references(() => applications.id, { onDelete: 'cascade' }),
    /** Null for an account that is deleted by now: the score stays. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The username at that time. */
    by: text('by').notNull(),
    /** 1 to 4 by the key of the criterion. */
    criteria: jsonb().$type<Record<string, number>>().notNull(),
    comment: text(),
    createdAt: instant('created_at').notNull().default(now),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [
    unique('application_scores_own').on(table.applicationId, table.userId),
    index('application_scores_user_idx').on(table.userId),
  ],
)
