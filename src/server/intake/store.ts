import type { SpamReason } from '#contract/inbox.ts'
import type { Source } from '#contract/submission.ts'
import { and, type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { type Prepared, prepare } from '#server/db/prepared.ts'
import { hitsWithin, type Limit } from '#server/db/rate-limit.ts'
import { preparedRows, rows, runOne } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { idempotencyKeys, rateLimits } from '#server/db/schema/calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import { choiceLabel, type Fields, type Kind } from '#server/kinds/kind.ts'
import { columnOf } from '#server/kinds/store/record.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import type { SubmissionMail } from '#server/mail-out/render/submission.ts'

export interface NewRecord extends Omit<SubmissionMail, 'acknowledgement'> {
  id: string
  /** Null for a sender who is never answered. */
  acknowledgement: Rendered | null
  fields: Fields
  search: string
  textHash: string
  source: Source | undefined
  /** An ISO time, or null; absent where the kind's table sets it. */
  dueAt?: string | null
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
  limits: readonly Limit[]
  isAnnounced?: boolean
}

export interface Stored {
  createdAt: string
  isSpam: boolean
}

const REPEAT_WINDOW = sql.raw(`interval '24 hours'`)

const list = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

const ownField = (name: string): string => `field ${name}`

/** The statement's parameters; lists as arrays of PostgreSQL. */
const valuesOf = (kind: Kind, record: NewRecord) => {
  const { idempotency, limits, staffMail, acknowledgement, acknowledgementLimit, notice } = record
  const own: Record<string, unknown> = Object.fromEntries(
    kind.fields.map((name) => {
      const value = record.fields[name] ?? null
      return [ownField(name), value && typeof value === 'object' ? JSON.stringify(value) : value]
    }),
  )
  return {
    ...own,
    id: record.id,
    source: json(record.source),
    dueAt: record.dueAt ?? null,
    consentTerms: record.consentTerms ?? null,
    choiceLabel: kind.choice ? choiceLabel(kind.choice, record.fields) : null,
    search: record.search,
    textHash: record.textHash,
    spam: list(record.spam),
    key: idempotency?.key ?? null,
    bodyHash: idempotency?.bodyHash ?? null,
    limitKeys: list(limits.map(({ key }) => key)),
    limitMaxima: list(limits.map(({ max }) => max)),
    limitSeconds: limits[0]?.windowSeconds ?? 0,
    facts: json(record.facts),
    isAnnounced: record.isAnnounced ?? true,
    staffSubject: staffMail.subject,
    staffText: staffMail.text,
    staffHtml: staffMail.html,
    staffReplyTo: record.staffReplyTo,
    staffRecipients: JSON.stringify(record.staffRecipients),
    isAcknowledged: acknowledgement !== null,
    subject: acknowledgement?.subject ?? '',
    text: acknowledgement?.text ?? '',
    html: acknowledgement?.html ?? '',
    acknowledgementKey: acknowledgementLimit.key,
    acknowledgementMax: acknowledgementLimit.max,
    acknowledgementSeconds: acknowledgementLimit.windowSeconds,
    noticeUrl: notice?.url ?? null,
    notice: notice?.json ?? null,
  }
}

type Values = ReturnType<typeof valuesOf> & Record<string, unknown>

type Value = (name: keyof Values & string) => SQL

/** Lets the first submission with a key through. A key expires after 24 hours and can then be used again. */
const claimKey = (kind: Kind, value: Value): SQL => sql`
  insert into ${idempotencyKeys} as k (kind, key, body_hash, record_id)
  values (${kind.path}, ${value('key')}, ${value('bodyHash')}, ${value('id')}::uuid)
  on conflict (kind, key) do update
    set body_hash = excluded.body_hash, record_id = excluded.record_id, created_at = now()
    where k.created_at <= now() - interval '24 hours'
  returning 1`

const recordValues = (kind: Kind, value: Value, setsDue: boolean): Record<string, SQL> => {
  const own = kind.fields.map((name) => {
    const type = sql.raw(columnOf(kind, name).getSQLType())
    return [name, sql`${value(ownField(name))}::${type}`]
  })
  return {
    ...Object.fromEntries(own),
    id: sql`${value('id')}::uuid`,
    box: sql`case when verdict.spam is null then 'inbox' else 'spam' end`,
    spam: sql`verdict.spam`,
    source: sql`${value('source')}::jsonb`,
    ...(setsDue ? { dueAt: sql`${value('dueAt')}::timestamptz` } : {}),
    consentTerms: sql`${value('consentTerms')}::text`,
    consentAt: sql`case when ${value('consentTerms')}::text is not null then now() end`,
    ...(kind.choice ? { [`${kind.choice.field}Label`]: sql`${value('choiceLabel')}::text` } : {}),
    search: sql`${value('search')}::text`,
    textHash: sql`${value('textHash')}::text`,
  }
}

const columnNames = (kind: Kind, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql.identifier(columnOf(kind, name).name)),
    sql`, `,
  )

/** One statement for each kind, and each way in which a submission is let through. */
const statement = (kind: Kind, claim: SQL, value: Value, setsDue: boolean): SQL => {
  const values = recordValues(kind, value, setsDue)
  const within = (seconds: 'limitSeconds' | 'acknowledgementSeconds') =>
    hitsWithin(sql`make_interval(secs => ${value(seconds)}::int)`)
  const thanked = within('acknowledgementSeconds')
  const mailStatus = sql`case when box = 'inbox' then 'waiting' else 'held' end`
  return sql`with
    claim as (${claim}),
    counted as (
      insert into ${rateLimits} as r (key, hits, max)
      select l.key, array[now()], l.max
      from unnest(${value('limitKeys')}::text[], ${value('limitMaxima')}::int[]) as l (key, max)
      where exists (select from claim)
      order by l.key
      on conflict (key) do update set
        hits = ${within('limitSeconds')} || excluded.hits, max = excluded.max, updated_at = now()
      returning 1
    ),
    verdict as (
      select nullif(
        ${value('spam')}::text[] || case when (
          select count(*) from (
            select 1 from ${kind.table}
            where text_hash = ${value('textHash')} and created_at > now() - ${REPEAT_WINDOW}
            limit 2
          ) as same
        ) = 2 then array['repeat'] else array[]::text[] end,
        '{}'
      ) as spam
    ),
    record as (
      insert into ${kind.table} (${columnNames(kind, Object.keys(values))})
      select ${sql.join(Object.values(values), sql`, `)} from verdict
      where exists (select from claim) and (select count(*) from counted) = cardinality(${value('limitKeys')}::text[])
      returning id, email, box, created_at
    ),
    event as (
      ${recordEventOf('record', {
        kind: 'created',
        targetKind: kind.path,
        version: sql`1`,
        after: sql`${value('facts')}::jsonb`,
      })}
    ),
    acknowledged as (
      insert into ${rateLimits} as r (key, hits, max)
      select ${value('acknowledgementKey')}::text, array[now()], ${value('acknowledgementMax')}::int
      from record where box = 'inbox' and ${value('isAcknowledged')}::boolean
      on conflict (key) do update
        set hits = ${thanked} || now(), max = excluded.max, updated_at = now()
        where cardinality(${thanked}) < excluded.max
      returning 1
    ),
    staff_recipient as (
      select value as email from jsonb_array_elements_text(${value('staffRecipients')}::jsonb)
      union all
      select email from ${users}
      where role = 'superuser' and jsonb_array_length(${value('staffRecipients')}::jsonb) = 0
    ),
    messages as (
      insert into ${mail} (kind, record_kind, record_id, recipient, reply_to, subject, text, html, status)
      select 'staff', ${kind.path}, record.id, staff_recipient.email, ${value('staffReplyTo')}::text,
        ${value('staffSubject')}, ${value('staffText')}, ${value('staffHtml')}, ${mailStatus}
      from record, staff_recipient where ${value('isAnnounced')}::boolean
      union all
      select 'acknowledgement', ${kind.path}, record.id, record.email, null,
        ${value('subject')}, ${value('text')}, ${value('html')}, ${mailStatus}
      from record
      where (box = 'spam' or exists (select from acknowledged)) and ${value('isAcknowledged')}::boolean
      union all
      select 'webhook', ${kind.path}, record.id, ${value('noticeUrl')}, null, '',
        ${value('notice')}, '', ${mailStatus}
      from record where ${value('noticeUrl')}::text is not null and ${value('isAnnounced')}::boolean
    )
    select created_at as "createdAt", box = 'spam' as "isSpam" from record`
}

const prepared = new Map<string, Prepared<Values>>()

const preparedFor = (kind: Kind, hasKey: boolean): Prepared<Values> => {
  const name = `${kind.path} ${hasKey}`
  let found = prepared.get(name)
  if (!found) {
    found = prepare<Values>((value) => {
      const claim = hasKey ? claimKey(kind, value) : sql`select 1`
      return statement(kind, claim, value, kind.owesDecision === true)
    })
    prepared.set(name, found)
  }
  return found
}

/**
 * Stores a submission with its event, its messages, its idempotency key and its place in the limits,
 * in one statement: all of it or nothing.
 *
 * @returns undefined when the idempotency key is taken, or `claim` answered no row.
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const storeSubmission = async (db: Database, kind: Kind, record: NewRecord) => {
  const values: Values = valuesOf(kind, record)
  const { claim, idempotency } = record
  const [stored] = claim
    ? await rows<Stored>(
        db,
        statement(kind, claim, (name) => sql`${values[name]}`, record.dueAt !== undefined),
      )
    : await preparedRows<Stored, Values>(db, preparedFor(kind, idempotency !== undefined), values)
  return stored
}

export const findByKey = (db: Database, kind: Kind, key: string) => {
  const { recordId: id, bodyHash, createdAt } = idempotencyKeys
  return runOne(
    db
      .select({ id, bodyHash, createdAt })
      .from(idempotencyKeys)
      .where(and(eq(idempotencyKeys.kind, kind.path), eq(idempotencyKeys.key, key))),
  )
}
