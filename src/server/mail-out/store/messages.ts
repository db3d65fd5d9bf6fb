import type { MailMessage } from '#contract/mail/mail.ts'
import type { MailStatus } from '#contract/mail/outgoing-mail.ts'
import { candidateNumber } from '#contract/reference.ts'
import { and, type Database, desc, inArray, lt, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { alias } from '#server/db/pg-core.ts'
import { run } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { type BlindReader, hiddenFrom } from '#server/kinds/store/hidden.ts'
import { unionOfKinds } from '#server/kinds/store/record.ts'
import { personalKinds } from '../message.ts'
import { withoutPastHour } from './promise.ts'

const m = alias(mail, 'm')

const message = jsonObject({
  _id: m.id,
  kind: m.kind,
  status: m.status,
  attempts: m.attempts,
  lastError: m.lastError,
  sentAt: sql<string | null>`case when m.status = 'sent' then ${iso(m.sentAt)} end`,
  // A webhook's path may be its secret: staff see the host.
  to: sql<string>`case when m.kind = 'webhook' then substring(m.recipient from '^https?://[^/?#]+') else m.recipient end`,
  nextAttemptAt: sql<
    string | null
  >`case when m.status = 'waiting' then ${iso(m.nextAttemptAt)} end`,
  // Mail to staff accounts is about no record.
  record: sql<
    MailMessage['record']
  >`case when m.record_id is not null then ${jsonObject({ kind: m.recordKind, _id: m.recordId })} end`,
})

/** True if the message `m` goes to somebody of whom it is hidden that the record is theirs. */
const isHidden = (reader: BlindReader): SQL<boolean> => {
  const hiddenRecords = kinds.flatMap((kind) => {
    const hidden = hiddenFrom(kind, reader)
    return hidden
      ? sql`select from ${kind.table} r
          where m.record_kind = ${kind.path} and r.id = m.record_id and ${hidden}`
      : []
  })
  if (hiddenRecords.length === 0) return sql`false`
  return sql`(m.kind = any(${sql.param(personalKinds)}::text[])
    and exists (${sql.join(hiddenRecords, sql` union all `)}))`
}

interface FoundMessage {
  message: MailMessage
  isHidden: boolean
}

/** Leaves out the address, which the provider's error may name as well. */
const shown = ({ message, isHidden }: FoundMessage): MailMessage => {
  const { to: _, record, lastError, ...others } = message
  return isHidden && record
    ? {
        ...others,
        record,
        lastError: lastError?.replace(/[^\s<]+@[^\s>]+/g, '…') ?? null,
        candidate: candidateNumber(record._id),
      }
    : message
}

interface Page {
  statuses: readonly MailStatus[]
  count: number
  before: string | undefined
}

/** Messages of these statuses, newest first, from the one after `before` on; sent ones of 30 days. */
export const listMessages = async (
  db: Database,
  reader: BlindReader,
  { statuses, count, before }: Page,
): Promise<MailMessage[]> => {
  const found = await run(
    db
      .select({ message, isHidden: isHidden(reader) })
      .from(m)
      .where(
        and(
          inArray(m.status, statuses),
          before ? lt(m.id, before) : undefined,
          sql`(${m.status} <> 'sent' or ${m.sentAt} > now() - interval '30 days')`,
        ),
      )
      .orderBy(desc(m.id))
      .limit(count),
  )
  return found.map(shown)
}

/** True if a mail to a sender says what has ended, or what later mail about the same appointment says otherwise. */
const isPast = sql`(coalesce(t.expires_at <= now(), false) or coalesce(
  t.calendar->>'to' = 'sender' and ((t.calendar->>'end')::timestamptz <= now() or exists (
    select from ${mail} n where n.record_kind = t.record_kind and n.record_id = t.record_id
      and n.calendar->>'to' = 'sender' and n.calendar->>'uid' = t.calendar->>'uid'
      and (n.calendar->>'sequence')::int > (t.calendar->>'sequence')::int
  )), false))`

/**
 * Sets a failed message waiting, with all its attempts before it. A mail to a sender that bounced goes
 * out as a new one, to the address that its record has now: the provider would take the old one for
 * sent. The text moves to the new one, so that it goes once. Nothing changes while its record is spam. Undefined when
 * there is no such message. What may have kept it from being sent is answered with it.
 */
export const retryMessage = async (db: Database, id: string, actor: Actor, reader: BlindReader) => {
  type Retried = FoundMessage & Record<'hasFailed' | 'isGone' | 'isExpired' | 'isInSpam', boolean>
  const [found] = await write<Retried>(
    db,
    sql`
      found as materialized (select * from ${mail} where id = ${id}::uuid for update),
      target as materialized (select t.*, ${isPast} as is_past from found t),
      record as materialized (
        ${unionOfKinds(({ table }) => sql`select r.email, r.box, r.due_at from ${table} r, target t where r.id = t.record_id`)}
      ),
      spam as materialized (select from record where box = 'spam'),
      retried as (
        update ${mail} m set status = 'waiting', attempts = 0, next_attempt_at = now(), leased_until = null
        from target t where t.id = m.id and t.status = 'failed' and (t.text <> '' or t.sealed is not null)
          and not t.is_past and not exists (select from spam)
        returning m.*, false as is_past
      ),
      again as (
        insert into ${mail} (kind, record_kind, record_id, event_id, recipient, reply_to, from_name, subject, text, html, status,
          expires_at, calendar)
        select m.kind, m.record_kind, m.record_id, m.event_id, x.email, m.reply_to, m.from_name,
          m.subject, ${withoutPastHour('text')}, ${withoutPastHour('html')}, 'waiting', m.expires_at, m.calendar
        from target m, record x
        where m.status = 'sent' and m.delivery = 'bounced' and m.kind in ('message', 'acknowledgement') and m.text <> ''
          and not m.is_past and x.box <> 'spam'
        returning *, false as is_past
      ),
      replaced as (
        update ${mail} m set text = '', html = '' from target t where t.id = m.id and exists (select from again)
      ),
      logged as (
        ${recordEvent({ from: sql`(select id from retried union all select id from again) as due`, by: actor, kind: 'retry', targetKind: 'mail', targetId: sql`id`, fields: ['status'] })}
      ),
      m as (
        select * from retried union all
        select * from again union all
        select * from target
        where not exists (select from retried) and not exists (select from again)
      )`,
    sql`select ${message} as message, ${isHidden(reader)} as "isHidden", m.text = '' and m.sealed is null as "isGone",
      m.is_past as "isExpired",
      m.status = 'failed' or coalesce(m.delivery = 'bounced', false) as "hasFailed",
      exists (select from spam) as "isInSpam" from m`,
  )
  return found && { ...found, message: shown(found) }
}
