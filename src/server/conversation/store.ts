import { type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { runOne } from '#server/db/rows.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { isOwed, promisedTime } from '#server/db/schema/records.ts'
import { writeOne } from '#server/db/write.ts'
import type { Core } from '#server/deps.ts'
import type { Fields, Kind } from '#server/kinds/kind.ts'
import { isBlindRecord, knowsSender } from '#server/kinds/store/hidden.ts'
import { fieldsJson, stateSql } from '#server/kinds/store/record.ts'
import { renderNotice, renderReplyMail } from '#server/mail-out/render/render.ts'
import { recordRecipients } from '#server/mail-out/store/recipients.ts'

export interface NewReply {
  /** `auto` is mail that a program wrote: it is kept, not announced, and starts no clock. */
  kind: 'reply' | 'auto'
  text: string
  /** The address, where it is not the record's own: it is announced, but starts no clock. */
  from?: string | undefined
  /** Kept with the entry, in the event's `after`, beside `state` and `from`. Erased with the record. */
  facts?: Readonly<Record<string, unknown>> | undefined
  isAnnounced?: boolean | undefined
  inTrash?: boolean | undefined
  /** The answer to the invitation of an appointment; one to an earlier invitation does not count. */
  attendance?: { appointmentId: string; sequence: number | null; answer: string }
  /** Counted against in the same statement; see `isLimitReached` for when one is full. */
  limits?: readonly Limit[] | undefined
  /**
   * A data-modifying query whose row lets the reply through, such as the claim of a Message-ID. It may
   * read `target`, the locked record: `insert … select … from target … on conflict do nothing returning 1`.
   */
  claim?: SQL | undefined
}

/**
 * True if a message to `t` that answers what was owed waits to leave: a reply that comes now cannot
 * be about it.
 */
const isAnswerWaiting = (kind: Kind): SQL => sql`exists (
  select from ${mail} m join ${events} e on e.id = m.event_id
  where m.record_kind = ${kind.path} and m.record_id = t.id
    and m.kind = 'message' and m.status = 'waiting' and m.attempts = 0 and m.leased_until is null
    and e.before->>'waiting_for' = 'us'
)`

/** The time that stays promised although the sender writes again. */
const olderPromise = (kind: Kind): SQL => sql`case
  when ${isOwed({ waitingFor: sql`t.waiting_for`, withdrawnAt: sql`t.withdrawn_at` })}
    or ${isAnswerWaiting(kind)}
  then t.due_at end`

const startedClock = sql`
  waiting_for = 'us', answered_at = null, due_at = least(p.older, ${promisedTime}), last_message_at = now(),
  snoozed_until = null, withdrawn_at = null,`

/**
 * Adds a reply to a record: its entry, the record's version and clock, and its announcement, in one
 * statement. The announcement goes to the assignee, else as that of a new submission; it is held while
 * the record is spam. The record's state stays, so that staff can undo what they did before.
 *
 * Call `deps.deliver()` after the answer. With a keyed database the statement is the call's one `write`.
 *
 * @returns undefined where there is no such record, or `claim` answered no row
 * @throws the driver's error of a full limit
 */
export const addReply = async ({ db, config }: Core, kind: Kind, id: string, reply: NewReply) => {
  const found = await runOne(
    db
      .select({ fields: fieldsJson(kind) })
      .from(sql`${kind.table} r`)
      .where(sql`r.id = ${id}::uuid`),
  )
  if (!found) return undefined
  const { text, from, facts = {}, inTrash = false, limits = [], claim = sql`select 1` } = reply
  const startsClock = reply.kind === 'reply' && from === undefined
  const counted =
    limits.length > 0 ? countAttempt(limits, sql`exists (select from target)`) : sql`select 1`
  return writeOne<{ id: string; at: string }>(
    db,
    sql`
      target as materialized (
        select t.* from ${kind.table} t
        where t.id = ${id}::uuid and (${inTrash} or t.box <> 'trash')
        for update
      ),
      claim as (${claim}),
      counted as (${counted}),
      planned as materialized (
        select t.id, t.version + 1 as version, ${stateSql(kind, sql.raw('t'))} as state,
          ${olderPromise(kind)} as older
        from target t where exists (select from claim)
      ),
      updated as (
        update ${kind.table} r
        set ${startsClock ? startedClock : sql``}
          ${reply.kind === 'reply' ? sql`heard_at = now(),` : sql``} version = p.version, updated_at = now()
        from planned p where p.id = r.id
        returning r.id, r.email, r.box, r.assignee_id, r.version, p.state
      ),
      e as (
        ${recordEventOf('updated', {
          kind: reply.kind,
          targetKind: kind.path,
          fields: [reply.kind],
          after: sql`${JSON.stringify({ ...facts, ...(from ? { from } : {}) })}::jsonb
              || jsonb_build_object('state', updated.state)`,
          text,
          version: sql`updated.version`,
        })}
        returning id, at
      )
      ${reply.attendance ? answeredInvitation(reply.attendance) : sql``}
      ${reply.kind === 'reply' && (reply.isAnnounced ?? true) ? sql`, ${announced({ config, kind, id, fields: found.fields }, reply)}` : sql``}`,
    sql`select id, ${iso(sql`at`)} as at from e`,
  )
}

const answeredInvitation = ({
  appointmentId,
  sequence,
  answer,
}: NonNullable<NewReply['attendance']>): SQL => sql`,
  attended as (
    update ${appointments} a set answer = ${answer} from updated u
    where a.id = ${appointmentId}::uuid and a.record_id = u.id and a.state = 'booked'
      and a.sequence <= coalesce(${sequence}::int, a.sequence)
  )`

/** The steps that queue the announcement of a reply to the row `updated`. */
const announced = (
  { config, kind, id, fields }: Pick<Core, 'config'> & { kind: Kind; id: string; fields: Fields },
  reply: NewReply,
): SQL => {
  const { siteUrl, webhook } = config
  const isBlind = isBlindRecord(kind, fields)
  const rendered = [false, ...(isBlind ? [true] : [])].map((is_blind) => ({
    is_blind,
    ...renderReplyMail(kind, { id, fields }, reply, siteUrl, is_blind),
  }))
  const mayKnow = isBlind ? knowsSender(kind, sql`u.id`, sql`recipient.email`) : sql`true`
  const url = webhook?.url
  const notice = url && renderNotice(kind, { id, fields }, { siteUrl, url, event: 'reply' })
  const status = sql`case when u.box = 'spam' then 'held' else 'waiting' end`
  return sql`
    ${recordRecipients(config)},
    announcements as (
      insert into ${mail} (kind, record_kind, record_id, recipient, reply_to, subject, text, html, status)
      select 'staff', ${kind.path}, u.id, recipient.email, case when not n.is_blind then u.email end,
        n.subject, n.text, n.html, ${status}
      from updated u cross join recipient
      join jsonb_to_recordset(${JSON.stringify(rendered)}::jsonb)
        as n(is_blind boolean, subject text, text text, html text) on n.is_blind = not ${mayKnow}
      union all
      select 'webhook', ${kind.path}, u.id, ${url ?? ''}, null, '', ${notice ?? ''}, '', ${status}
      from updated u where not exists (select from assignee) and ${url !== undefined}
    )`
}
