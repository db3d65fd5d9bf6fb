import { pgTable, text } from 'drizzle-orm/pg-core'
import type { SetupKey } from '#contract/setup.ts'
import { instant, now } from './columns.ts'

/** Decisions about steps of setting up. */
export const setupSteps = pgTable('setup_steps', {
  key: text().$type<SetupKey>().primaryKey(),
  /** `done` only for a mail that arrived at its provider, and for a backup. */
  state: text({ enum: ['open', 'skipped', 'done'] }).notNull(),
  at: instant('at').notNull().default(now),
})
