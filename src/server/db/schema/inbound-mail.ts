import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { KindPath } from '#contract/inbox.ts'
import type { Placed } from '#contract/mail/inbound.ts'
import { id, instant, now } from './columns.ts'

/**
 * Mail that came in and its place, so that one that is delivered twice is kept once. The row is
 * written by the statement that keeps the mail, and deleted with its record.
 */
export const inboundMail = pgTable(
  'inbound_mail',
  {
    id: id(),
    /** SHA-256 of Message-ID, sender and text. */
    fingerprint: text().notNull().unique(),
    recordKind: text('record_kind').$type<KindPath>().notNull(),
    recordId: uuid('record_id').notNull(),
    keptAs: text('kept_as').$type<Placed['as']>().notNull(),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [index('inbound_mail_record_idx').on(table.recordId)],
)
