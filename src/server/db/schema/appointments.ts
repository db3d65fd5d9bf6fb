import { attendance } from '#contract/inbox.ts'
import { sql } from '#server/db/drizzle.ts'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from '#server/db/pg-core.ts'
import { users } from './accounts/users.ts'
import { id, instant, now } from './columns.ts'

/**
 * Talks with the senders of consultations. A constraint of the migration refuses two of one host that overlap,
 * the break after each included (`appointments_apart`).
 */
export const appointments = pgTable(
  'appointments',
  {
    id: id(),
    /** The consultation. */
    recordId: uuid('record_id').notNull(),
    /** Null once the account is deleted, which waits until none of its appointments is to come. */
    hostId: uuid('host_id').references(() => users.id),
    startAt: instant('start_at').notNull(),
    endAt: instant('end_at').notNull(),
    /** The end with the host's break. */
    heldUntil: instant('held_until').notNull(),
    place: text().notNull(),
    /** `past`: it took place, and the record has another one since. */
    state: text({ enum: ['booked', 'cancelled', 'past'] }).notNull(),
    /** Counts the changes, as the invitations name them (RFC 5545, section 3.8.7.4). */
    sequence: integer().notNull().default(0),
    /** The answer of the sender's calendar to the last invitation. */
    answer: text({ enum: attendance }),
    createdAt: instant('created_at').notNull().default(now),
    updatedAt: instant('updated_at').notNull().default(now),
  },
  (table) => [
    uniqueIndex('appointments_one_booked').on(table.recordId).where(sql`${table.state} = 'booked'`),
    index('appointments_record_idx').on(table.recordId, table.id),
    index('appointments_host_idx').on(table.hostId, table.startAt),
    index('appointments_start_idx').on(table.startAt),
    check('appointments_state_known', sql`${table.state} in ('booked', 'cancelled', 'past')`),
    check('appointments_in_order', sql`${table.startAt} < ${table.endAt}`),
  ],
)
