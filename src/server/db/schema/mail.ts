import type { KindPath } from '#contract/inbox.ts'
import type { Placed } from '#contract/mail/inbound.ts'
import type { Invitation } from '#contract/mail/invitation.ts'
import { deliveries, mailKinds, mailStatuses } from '#contract/mail/outgoing-mail.ts'
import { sql } from '#server/db/drizzle.ts'
import { index, integer, jsonb, pgTable, text, uuid } from '#server/db/pg-core.ts'
import { id, instant, isKnown, now } from './columns.ts'

/**
 * The outbox. A submission and its messages are written in one statement, so there is no moment at
 * which one exists without the other; sending happens later and may fail without harm. A worker
 * claims due rows by pushing `leased_until` into the future in one `update … for update skip locked`;
 * a worker that dies loses its lease and the row is due again. The row's id is the provider's
 * idempotency key, and the body is rendered once, so a message sent twice is delivered once.
 */
export const mail = pgTable(
  'mail',
  {
    id: id(),
    kind: text({ enum: mailKinds }).notNull(),
    /** Null for mail to staff accounts. */
    recordKind: text('record_kind').$type<KindPath>(),
    recordId: uuid('record_id'),
    /** The event of the record's activity that a message of staff is. */
    eventId: uuid('event_id'),
    /** One address, or a webhook's URL: a message that fails for one recipient does not fail for the others. */
    recipient: text().notNull(),
    replyTo: text('reply_to'),
    /** The person who wrote it, beside the brand; null where it is the brand’s alone. */
    fromName: text('from_name'),
    subject: text().notNull(),
    /** The bodies; emptied 30 days after sending. */
    text: text().notNull(),
    html: text().notNull(),
    /** Both bodies of a mail that carries a link or a code, encrypted under `AUTH_SECRET`; null once it is sent. */
    sealed: text(),
    /** The end of the link or code in it, or the beginning of the talk that it reminds of: it is not sent after it. */
    expiresAt: instant('expires_at'),
    /**
     * The facts of mail about an appointment; its bodies and the calendar part are made of them as
     * it is sent.
     */
    calendar: jsonb().$type<Invitation>(),
    /** `held`: its record is in the spam box. `waiting`: due at `next_attempt_at`. `sent`, `failed` and `recalled` are final; staff may set a failed one waiting. */
    status: text({ enum: mailStatuses }).notNull(),
    /** Attempts that ended in a temporary failure; the seventh is the last. */
    attempts: integer().notNull().default(0),
    nextAttemptAt: instant('next_attempt_at').notNull().default(now),
    /** In the future while a worker sends it. */
    leasedUntil: instant('leased_until'),
    /** The provider's last message, without addresses or text. */
    lastError: text('last_error'),
    providerId: text('provider_id'),
    /** The Message-ID under which the provider sent it, where that is not ours: answers name it. */
    messageId: text('message_id'),
    /** `delivered`, `bounced` or `complained`, once the provider reported it. */
    delivery: text({ enum: deliveries }),
    createdAt: instant('created_at').notNull().default(now),
    sentAt: instant('sent_at'),
  },
  (table) => [
    index('mail_due_idx').on(table.nextAttemptAt).where(sql`${table.status} = 'waiting'`),
    index('mail_state_idx').on(table.status, table.id),
    index('mail_record_idx').on(table.recordKind, table.recordId),
    index('mail_event_idx').on(table.eventId).where(sql`${table.eventId} is not null`),
    index('mail_recipient_idx').on(sql`lower(${table.recipient})`),
    index('mail_provider_idx').on(table.providerId),
    // For webhooks that announce sent mail.
    index('mail_messages_sent_idx')
      .on(table.sentAt)
      .where(sql`${table.kind} = 'message' and ${table.status} = 'sent'`),
    index('mail_message_id_idx').on(table.messageId).where(sql`${table.messageId} is not null`),
    // Bodies that are still to be emptied.
    index('mail_body_idx')
      .on(sql`coalesce(${table.sentAt}, ${table.createdAt})`)
      .where(sql`${table.status} in ('sent', 'failed') and ${table.text} <> ''`),
    isKnown('mail_status_known', table.status, mailStatuses),
  ],
)

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
