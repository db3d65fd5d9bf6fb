import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { SpamReason } from '#contract/inbox.ts'
import type { Source } from '#contract/submission.ts'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { countAttempt, hitsWithin, type Limit, windowOf } from '#server/db/rate-limit.ts'
import { rows, run } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { idempotencyKeys } from '#server/db/schema/idempotency-keys.ts'
import { mail } from '#server/db/schema/mail.ts'
import { rateLimits } from '#server/db/schema/rate-limits.ts'
import type { Fields, Kind } from '#server/kinds/kind.ts'
import type { Rendered } from '../render.ts'

/** A checked submission with everything that is stored beside it. */
export interface NewRecord {
  id: string
  fields: Fields
  search: string
  textHash: string
  source: Source | undefined
  /** The version of the terms agreed to. */
  consentTerms: string | undefined
  /** Reasons found so far; the database adds `repeat`. */
  spam: SpamReason[]
  idempotency: { key: string; bodyHash: string } | undefined
  /**
   * A data-modifying query whose row lets the record through, in place of an idempotency key. It knows
   * the record's id.
   */
  claim?: SQL
  /** Kept with the first entry of the activity. */
  facts?: Readonly<Record<string, unknown>>
  /** What the sender is counted against; nothing where it is empty. */
  limits: readonly Limit[]
  /** Whether staff hear of it. */
  isAnnounced?: boolean
  staffMail: Rendered
  /** Addresses; when empty, every superuser. */
  staffRecipients: readonly string[]
  /** Null for a sender who is never answered. */
  acknowledgement: Rendered | null
  acknowledgementLimit: Limit
  /** A notice for another system, and its URL. */
  notice: { url: string; json: string } | undefined
}

export interface Stored {
  createdAt: string
  isSpam: boolean
}

const REPEAT_WINDOW = sql.raw(`interval '24 hours'`)

const typed = (column: PgColumn, value: Fields[string]): SQL => {
  const stored = value && typeof value === 'object' ? JSON.stringify(value) : (value ?? null)
  return sql`${stored}::${sql.raw(column.getSQLType())}`
}

/**
 * Stores a submission with its event, its messages, its idempotency key and its place in the limits,
 * in one statement: all of it or nothing.
 *
 * @returns undefined when the idempotency key is taken, or `claim` answered no row.
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const storeSubmission = async (
  db: Database,
  kind: Kind,
  record: NewRecord,
): Promise<Stored | undefined> => {
  const columns = getTableColumns(kind.table) as Record<string, PgColumn>
  const values: Record<string, SQL> = {
    ...Object.fromEntries(
      kind.fields.map((name) => [name, typed(columns[name] as PgColumn, record.fields[name])]),
    ),
    id: sql`${record.id}::uuid`,
    box: sql`case when verdict.spam is null then 'inbox' else 'spam' end`,
    spam: sql`verdict.spam`,
    source: sql`${record.source ? JSON.stringify(record.source) : null}::jsonb`,
    consentTerms: sql`${record.consentTerms ?? null}::text`,
    consentAt: record.consentTerms ? sql`now()` : sql`null::timestamptz`,
    search: sql`${record.search}::text`,
    textHash: sql`${record.textHash}::text`,
  }
  const names = Object.keys(values).map((name) => sql.identifier((columns[name] as PgColumn).name))
  const { idempotency, limits, acknowledgement, acknowledgementLimit: ack } = record
  const { facts, isAnnounced = true } = record
  const thanked = hitsWithin(windowOf(ack))

  // A key that is 24 hours old counts no more: the new submission takes it over.
  const claim = idempotency
    ? sql`insert into ${idempotencyKeys} as k (kind, key, body_hash, record_id)
        values (${kind.path}, ${idempotency.key}, ${idempotency.bodyHash}, ${record.id}::uuid)
        on conflict (kind, key) do update
          set body_hash = excluded.body_hash, record_id = excluded.record_id, created_at = now()
          where k.created_at <= now() - interval '24 hours'
        returning 1`
    : (record.claim ?? sql`select 1`)
  const isClaimed = sql`exists (select from claim)`

  const [stored] = await rows<Stored>(
    db,
    sql`with
      claim as (${claim}),
      counted as (${
        limits.length > 0 ? countAttempt(limits, isClaimed) : sql`select 1 where ${isClaimed}`
      }),
      verdict as (
        select nullif(
          ${`{${record.spam.join(',')}}`}::text[] || case when (
            select count(*) from (
              select 1 from ${kind.table}
              where text_hash = ${record.textHash} and created_at > now() - ${REPEAT_WINDOW}
              limit 2
            ) as same
          ) = 2 then array['repeat'] else array[]::text[] end,
          '{}'
        ) as spam
      ),
      record as (
        insert into ${kind.table} (${sql.join(names, sql`, `)})
        select ${sql.join(Object.values(values), sql`, `)} from verdict
        where exists (select from counted)
        returning id, email, box, created_at
      ),
      event as (
        ${recordEvent(
          {
            kind: 'created',
            targetKind: kind.path,
            targetId: sql`id`,
            version: sql`1`,
            ...(facts ? { after: sql`${JSON.stringify(facts)}::jsonb` } : {}),
          },
          sql`record`,
        )}
      ),
      acknowledged as (
        insert into ${rateLimits} as r (key, hits, max)
        select ${ack.key}::text, array[now()], ${ack.max}::int from record where box = 'inbox' and ${acknowledgement !== null}
        on conflict (key) do update
          set hits = ${thanked} || now(), max = excluded.max, updated_at = now()
          where cardinality(${thanked}) < ${ack.max}::int
        returning 1
      ),
      staff_recipient as (
        select value as email from jsonb_array_elements_text(${JSON.stringify(record.staffRecipients)}::jsonb)
        union all
        select email from ${users} where role = 'superuser' and ${record.staffRecipients.length} = 0
      ),
      messages as (
        insert into ${mail} (kind, record_kind, record_id, recipient, reply_to, subject, text, html, status)
        select 'staff', ${kind.path}, record.id, staff_recipient.email, record.email,
          ${record.staffMail.subject}, ${record.staffMail.text}, ${record.staffMail.html},
          case when box = 'inbox' then 'waiting' else 'held' end
        from record, staff_recipient where ${isAnnounced}
        union all
        select 'acknowledgement', ${kind.path}, record.id, record.email, null,
          ${acknowledgement?.subject ?? ''}, ${acknowledgement?.text ?? ''}, ${acknowledgement?.html ?? ''},
          case when box = 'inbox' then 'waiting' else 'held' end
        from record
        where (box = 'spam' or exists (select from acknowledged)) and ${acknowledgement !== null}
        union all
        select 'webhook', ${kind.path}, record.id, ${record.notice?.url ?? ''}, null, '',
          ${record.notice?.json ?? ''}, '', case when box = 'inbox' then 'waiting' else 'held' end
        from record where ${record.notice !== undefined && isAnnounced}
      )
      select created_at as "createdAt", box = 'spam' as "isSpam" from record`,
  )
  return stored
}

/** What an idempotency key already made. */
export const findByKey = async (
  db: Database,
  kind: Kind,
  key: string,
): Promise<{ id: string; bodyHash: string; createdAt: string } | undefined> => {
  const { recordId: id, bodyHash, createdAt } = idempotencyKeys
  const [found] = await run(
    db
      .select({ id, bodyHash, createdAt })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.kind, kind.path), eq(idempotencyKeys.key, key))),
  )
  return found
}
