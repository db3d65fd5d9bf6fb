import type { KindPath } from '#contract/inbox.ts'
import { pushReasons } from '#contract/push.ts'
import { sql } from '#server/db/drizzle.ts'
import { index, integer, pgTable, text, unique, uuid } from '#server/db/pg-core.ts'
import { pushSubscriptions } from './accounts/users.ts'
import { id, instant, now } from './columns.ts'

/**
 * Notifications to devices: waiting, or sent recently. Their text is read from the record when they are
 * sent, so no personal data is stored here.
 */
export const pushes = pgTable(
  'pushes',
  {
    id: id(),
    subscriptionId: uuid('subscription_id')
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: 'cascade' }),
    reason: text({ enum: pushReasons }).notNull(),
    /** Null in a test. */
    recordKind: text('record_kind').$type<KindPath>(),
    recordId: uuid('record_id'),
    /** The id of an event, or a record and the promised time. */
    cause: text().notNull(),
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().default(now),
    /** In the future while a worker sends it. */
    leasedUntil: instant('leased_until'),
    /** The time of sending or giving up; null while it waits. */
    doneAt: instant('done_at'),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    // Whatever is planned again after a crash is planned once.
    unique('pushes_cause_key').on(table.subscriptionId, table.cause),
    index('pushes_due_idx').on(table.nextAttemptAt).where(sql`${table.doneAt} is null`),
  ],
)
