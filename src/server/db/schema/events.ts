import type { AuditDetails } from '#contract/audit.ts'
import { sql } from '#server/db/drizzle.ts'
import { bigint, check, index, integer, jsonb, pgTable, text, uuid } from '#server/db/pg-core.ts'
import { id, instant, now } from './columns.ts'

/** The kinds of entries whose text a search finds, as SQL: a query that names them all takes the index. */
export const searchedKinds = sql.raw(
  `('message', 'times', 'offer_sent', 'reply', 'offer_accepted', 'offer_declined', 'cancelled', 'note')`,
)

/**
 * Everything that happened, written by the statement that did it: activity, audit log and undo read it.
 * Acts of visitors and of the program have no `by`; the program's for the audit log have `via`.
 */
export const events = pgTable(
  'events',
  {
    id: id(),
    /** One change may touch several fields and, in bulk, many records: its events share this id, and undo takes it. */
    changeId: uuid('change_id').notNull(),
    at: instant('at').notNull().default(now),
    /**
     * The account, also one that is deleted by now: with a foreign key, deleting somebody would change
     * every event of theirs.
     */
    byId: uuid('by_id'),
    /** The username of the time; it stays when the user is renamed or deleted. */
    by: text('by'),
    via: text({ enum: ['start', 'command', 'retention', 'sender'] }),
    kind: text().notNull(),
    /** `contacts`, `consultations`, `applications`, `users`, `sessions`, `mail`, `privacy`. */
    targetKind: text('target_kind'),
    targetId: uuid('target_id'),
    /** The names of the fields that changed: what the audit log shows. */
    fields: text().array().notNull().default(sql`'{}'`),
    /** Column values before and after, for undo and for the activity's from and to. */
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    /** Details for the audit log: no data of people who are not staff. */
    details: jsonb().$type<AuditDetails>(),
    text: text(),
    /** The record's version after the change: another one later means that somebody changed it since. */
    version: integer(),
  },
  (table) => [
    index('events_target_idx').on(table.targetKind, table.targetId, table.id),
    index('events_change_idx').on(table.changeId),
    index('events_audit_idx')
      .on(table.id)
      .where(
        sql`${table.by} is not null or ${table.via} is not null or ${table.kind} = 'sign_in_refused'`,
      ),
    index('events_times_idx').on(table.at).where(sql`${table.kind} = 'times'`),
    index('events_refused_idx')
      .on(sql`(${table.details}->>'ipHash')`, table.id)
      .where(sql`${table.kind} = 'sign_in_refused'`),
    // Mails on a record that came from another address than the record's.
    index('events_from_idx')
      .on(sql`lower(${table.after}->>'from')`)
      .where(sql`${table.kind} in ('reply', 'auto')`),
    index('events_text_idx')
      .using('gin', sql`lower(${table.text}) gin_trgm_ops`)
      .where(sql`${table.kind} in ${searchedKinds}`),
    check('events_via_known', sql`${table.via} in ('start', 'command', 'retention', 'sender')`),
  ],
)

/**
 * The audit log's chain: each hash covers an entry and the hash before it, so that an entry which is
 * changed, removed or put in later shows. Rows are only ever added.
 */
export const auditSeals = pgTable('audit_seals', {
  /** 1, 2, 3, … without a gap. */
  position: bigint({ mode: 'number' }).primaryKey(),
  eventId: uuid('event_id').notNull().unique(),
  /** The kind of the entry, and its SHA-256; null in seals of the first form. */
  kind: text(),
  content: text(),
  /** SHA-256, hex. */
  hash: text().notNull(),
  sealedAt: instant('sealed_at').notNull().default(now),
})
