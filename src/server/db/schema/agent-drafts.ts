import type { KindPath } from '#contract/inbox.ts'
import { index, pgTable, text, unique, uuid } from '#server/db/pg-core.ts'
import { id, instant, now } from './columns.ts'

/** Agents' drafts for a record: one text of each token. */
export const agentDrafts = pgTable(
  'agent_drafts',
  {
    id: id(),
    recordKind: text('record_kind').$type<KindPath>().notNull(),
    recordId: uuid('record_id').notNull(),
    tokenId: uuid('token_id').notNull(),
    token: text().notNull(),
    by: text().notNull(),
    text: text().notNull(),
    at: instant('at').notNull().default(now),
  },
  (table) => [
    unique('agent_drafts_token_key').on(table.recordId, table.tokenId),
    index('agent_drafts_at_idx').on(table.at),
  ],
)

/** The newest status that an agent proposes for a record. */
export const agentProposals = pgTable('agent_proposals', {
  recordId: uuid('record_id').primaryKey(),
  recordKind: text('record_kind').$type<KindPath>().notNull(),
  status: text().notNull(),
  why: text().notNull(),
  token: text().notNull(),
  by: text().notNull(),
  at: instant('at').notNull().default(now),
})
