import { integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type { HoursRange } from '#contract/times.ts'
import { instant } from '#server/db/schema/columns.ts'
import { users } from './users.ts'

/**
 * The hours in which members of staff talk with senders, and a copy of the busy times of their own
 * calendar.
 */
export const hostHours = pgTable('host_hours', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  timeZone: text('time_zone').notNull(),
  weekly: jsonb().$type<HoursRange[]>().notNull(),
  /** The length of a talk. */
  minutes: integer().notNull(),
  buffer: integer().notNull(),
  noticeHours: integer('notice_hours').notNull(),
  horizonDays: integer('horizon_days').notNull(),
  place: text().notNull(),
  /** The calendar's address, encrypted under `AUTH_SECRET`. */
  busySealed: text('busy_sealed'),
  /** The busy times of the last copy as pairs of milliseconds, without what fills them. */
  busyTimes: jsonb('busy_times').$type<[number, number][]>(),
  /** The time at which the copy was read; null before the first. */
  busyReadAt: instant('busy_read_at'),
  /** The time of the last attempt, also a failed one. */
  busyTriedAt: instant('busy_tried_at'),
  /** The problem of the last reading. */
  busyProblem: text('busy_problem'),
  /** The outcome of the last reading; null before the first. */
  busyOutcome: text('busy_outcome', { enum: ['read', 'unreachable', 'broken'] }),
})
