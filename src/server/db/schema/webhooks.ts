import {
  deliveryStates,
  disabledReasons,
  type WebhookDelivery,
  webhookEvents,
} from '#contract/programs/endpoints.ts'
import { sql } from '#server/db/drizzle.ts'
import { boolean, index, integer, jsonb, pgTable, text, unique, uuid } from '#server/db/pg-core.ts'
import { id, instant, now } from './columns.ts'

export const webhookEndpoints = pgTable('webhook_endpoints', {
  id: id(),
  url: text().notNull(),
  events: text({ enum: webhookEvents }).array().notNull(),
  details: boolean().notNull(),
  enabled: boolean().notNull(),
  /** Signing secrets and `Authorization` header, encrypted under `AUTH_SECRET`. */
  sealedSecret: text('sealed_secret').notNull(),
  sealedOldSecret: text('sealed_old_secret'),
  oldSecretUntil: instant('old_secret_until'),
  sealedAuthorization: text('sealed_authorization'),
  /** It hears of what happens from then on. */
  activeSince: instant('active_since').notNull().default(now),
  failingSince: instant('failing_since'),
  problem: text(),
  disabledReason: text('disabled_reason', { enum: disabledReasons }),
  disabledAt: instant('disabled_at'),
  createdAt: instant('created_at').notNull().default(now),
})

/** One event for one endpoint. Its body is made from the record as it is sent, so none is stored. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    endpointId: uuid('endpoint_id')
      .notNull()
      .references(() => webhookEndpoints.id, { onDelete: 'cascade' }),
    type: text({ enum: webhookEvents }).notNull(),
    /** The id of its cause. Planned again after a crash, it is one delivery. */
    cause: text().notNull(),
    recordKind: text('record_kind'),
    recordId: uuid('record_id'),
    eventId: uuid('event_id'),
    at: instant('at').notNull().default(now),
    state: text({ enum: deliveryStates }).notNull().default('waiting'),
    /** Attempts since it was planned, or sent again by hand. */
    tries: integer().notNull().default(0),
    attempts: jsonb().$type<WebhookDelivery['attempts']>().notNull().default([]),
    nextAt: instant('next_at').notNull().default(now),
    leasedUntil: instant('leased_until'),
    createdAt: instant('created_at').notNull().default(now),
  },
  (table) => [
    unique('webhook_deliveries_cause_key').on(table.endpointId, table.cause),
    index('webhook_deliveries_due_idx').on(table.nextAt).where(sql`${table.state} = 'waiting'`),
    index('webhook_deliveries_record_idx').on(table.recordId),
    index('webhook_deliveries_created_idx').on(table.createdAt),
  ],
)
