import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import { id, instant, now } from './columns.ts'

/** Texts that staff save to reply with. */
export const templates = pgTable('templates', {
  id: id(),
  name: text().notNull(),
  text: text().notNull(),
  /** The kind of record that it is for; null for all. */
  kind: text().$type<KindPath>(),
  version: integer().notNull().default(1),
  createdAt: instant('created_at').notNull().default(now),
})
