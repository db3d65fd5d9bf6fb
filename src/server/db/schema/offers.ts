import type { OfferLine } from '#contract/offers/offers.ts'
import { sql } from '#server/db/drizzle.ts'
import { date, index, integer, jsonb, pgTable, text, uuid } from '#server/db/pg-core.ts'
import { id, instant, isKnown, now } from './columns.ts'

const states = ['draft', 'sent', 'accepted', 'declined', 'replaced', 'recalled'] as const

/** Offers to the senders of consultations; from its sending on, what is offered never changes. */
export const offers = pgTable(
  'offers',
  {
    id: id(),
    recordId: uuid('record_id').notNull(),
    /** `expired` follows from `valid_until` and is not stored. */
    state: text({ enum: states }).notNull(),
    version: integer().notNull().default(1),
    title: text().notNull(),
    text: text().notNull(),
    lines: jsonb().$type<OfferLine[]>().notNull(),
    currency: text().notNull(),
    startsOn: date('starts_on', { mode: 'string' }),
    validUntil: date('valid_until', { mode: 'string' }).notNull(),
    terms: text().notNull(),
    /** SHA-256 of the canonical form, from the sending on. */
    hash: text(),
    /** The entry of the activity that it was sent with. */
    eventId: uuid('event_id'),
    /** The offer that this one ends when it is sent. */
    replacesId: uuid('replaces_id'),
    by: text(),
    sentAt: instant('sent_at'),
    answeredAt: instant('answered_at'),
    /** Acceptances only. */
    answerName: text('answer_name'),
    answerText: text('answer_text'),
    /** HMAC of the IP that accepted. */
    answerIp: text('answer_ip'),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    index('offers_record_idx').on(table.recordId, table.id),
    index('offers_event_idx').on(table.eventId).where(sql`${table.eventId} is not null`),
    isKnown('offers_state_known', table.state, states),
  ],
)
