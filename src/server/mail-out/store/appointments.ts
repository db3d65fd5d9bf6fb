import { limits } from '#contract/limits.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { hostHours, roleMay, users } from '#server/db/schema/accounts/users.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Actor } from '#server/http/route.ts'
import { LINK } from '#server/mail-out/link.ts'

/** Mail about appointments, queued by the statement that changes them. Its text is made as it is sent. */

const PLACEHOLDER = 'An appointment'

/** The first name by which senders know the host `h`; null where the brand stands for them. */
export const hostFirstName = sql`(
  select nullif(split_part(trim(s.display_name), ' ', 1), '')
  from staff_settings s where s.user_id = h.id
)`

const ahead = sql.raw(`interval '${limits.reminderHours} hours'`)

/** The text for staff: `{link}` stands for the link of the sender's page. */
const forStaff = (text: SQL) => sql`replace(${text}, ${LINK}::text, '{link}')`

/** The zone in which the sender of the record `r` was last told of a talk. */
const lastZone = sql`(
  select m.calendar->>'zone' from ${mail} m
  where m.record_kind = 'consultations' and m.record_id = r.id and m.calendar->>'to' = 'sender'
  order by m.id desc limit 1
)`

/** The facts of a mail about the appointment `x` of the record `r` with the host `h`. */
const facts = (text: SQL, zone: SQL) => sql`jsonb_build_object(
  'what', t.what, 'to', t.who, 'uid', x.id::text || '@record', 'sequence', x.sequence,
  'stamp', ${iso(sql`now()`)}, 'start', ${iso(sql`x.start_at`)}, 'end', ${iso(sql`x.end_at`)},
  'place', x.place, 'name', r.name, 'record', r.id, 'host', ${hostFirstName},
  'text', case when t.who = 'host' then ${forStaff(text)} else ${text} end,
  'zone', coalesce(
    case when t.who = 'host' then q.time_zone else coalesce(${zone}, ${lastZone}, r.source->>'timeZone') end, 'UTC'
  )
)`

/**
 * Queues the mail about appointments: to both, and a reminder to the sender where it lies far enough ahead.
 *
 * Hosts who may not read records any more hear nothing.
 *
 * @param from a CTE with the appointments' columns and `what`
 * @param to whom it is told; a condition on `t.who`, `x` and the record `r`
 * @param isHeld mail that waits for a release; a condition on the same
 * @param zone the zone that the sender has chosen now
 */
export const queueInvitations = (
  from: SQL,
  {
    text = sql`null::text`,
    to = sql`true`,
    isHeld = sql`false`,
    zone = sql`null::text`,
  }: { text?: SQL; to?: SQL; isHeld?: SQL; zone?: SQL } = {},
): SQL => sql`
  insert into ${mail} (kind, record_kind, record_id, recipient, reply_to, subject, text, html, status, next_attempt_at, expires_at,
    calendar)
  select case when t.who = 'host' then 'staff' else 'message' end, 'consultations', r.id,
    case when t.who = 'host' then h.email else r.email end, case when t.who = 'host' then r.email end,
    ${PLACEHOLDER}, ${PLACEHOLDER}, '', case when ${isHeld} then 'held' else 'waiting' end,
    case when t.what = 'reminder' then x.start_at - ${ahead} else now() end,
    case when t.what = 'reminder' then x.start_at end, ${facts(text, zone)}
  from ${from} x join ${consultations} r on r.id = x.record_id
    left join ${users} h on h.id = x.host_id left join ${hostHours} q on q.user_id = x.host_id
    cross join lateral (values ('sender', x.what), ('host', x.what), ('sender', 'reminder')) as t (who, what)
  where (t.who <> 'host' or ${roleMay(sql`h.role`, 'records.read')}) and ${to}
    and (t.what <> 'reminder' or (x.what <> 'cancelled' and x.start_at > now() + ${ahead}))`

export const remindersGone = (from: SQL): SQL => sql`
  delete from ${mail} m using ${from} x
  where m.record_kind = 'consultations' and m.record_id = x.record_id
    and m.status in ('waiting', 'held') and m.calendar->>'what' = 'reminder'`

/**
 * Steps that cancel the appointments to come of some records, with their mail and entries.
 *
 * @param records a query of ids
 * @param isHeld as in {@link queueInvitations}
 * @param planned a CTE with the `version` that each record gets and the `state` that it keeps, if nothing else changes
 */
export const appointmentsEnded = (
  records: SQL,
  {
    actor,
    text = sql`null::text`,
    isHeld = sql`false`,
    planned,
  }: { actor?: Actor | undefined; text?: SQL; isHeld?: SQL; planned?: SQL } = {},
): SQL => sql`
  ended as (
    update ${appointments} a set state = 'cancelled', sequence = a.sequence + 1, answer = null, updated_at = now()
    where a.record_id in (${records}) and a.state = 'booked' and a.end_at > now()
    returning a.*, 'cancelled'::text as what
  ),
  ended_reminders as (${remindersGone(sql`ended`)}),
  ended_told as (${queueInvitations(sql`ended`, { text, isHeld })}),
  ended_logged as (
    ${recordEvent({
      from: planned ? sql`ended x join ${planned} p on p.id = x.record_id` : sql`ended x`,
      kind: 'cancelled',
      by: actor,
      targetKind: 'consultations',
      targetId: sql`x.record_id`,
      fields: ['appointment'],
      after: sql`jsonb_build_object('from', ${iso(sql`x.start_at`)})
        || ${planned ? sql`jsonb_build_object('state', p.state)` : sql`'{}'`}`,
      text: forStaff(text),
      ...(planned && { version: sql`p.version` }),
    })}
  )`

/**
 * Steps after the CTEs `gone (kind, id)` of erased records and `mail_gone` of their mail: their appointments go, and
 * the calendars of their hosts hear that they are cancelled, without a name. So they do of appointments that were
 * cancelled before, where the mail that says so has not left.
 */
export const appointmentsGone: SQL = sql`
  appointments_gone as (
    delete from ${appointments} a using gone g where g.kind = 'consultations' and a.record_id = g.id
    returning a.*
  ),
  hosts_told as (
    insert into ${mail} (kind, recipient, subject, text, html, status, calendar)
    select 'account', h.email, ${PLACEHOLDER}, ${PLACEHOLDER}, '', 'waiting', jsonb_build_object(
      'what', 'cancelled', 'to', 'host', 'uid', x.id::text || '@record', 'sequence', x.sequence + 1,
      'stamp', ${iso(sql`now()`)}, 'start', ${iso(sql`x.start_at`)}, 'end', ${iso(sql`x.end_at`)},
      'place', x.place, 'name', null, 'record', null, 'host', null, 'text', null,
      'zone', coalesce(q.time_zone, 'UTC'))
    from appointments_gone x join ${users} h on h.id = x.host_id left join ${hostHours} q on q.user_id = h.id
    where x.state = 'booked' and x.end_at > now()
    union all
    select 'account', m.recipient, ${PLACEHOLDER}, ${PLACEHOLDER}, '', 'waiting',
      m.calendar || '{"name": null, "record": null, "host": null, "text": null}'
    from mail_gone m
    where m.status = 'waiting' and m.calendar->>'to' = 'host' and m.calendar->>'what' = 'cancelled'
  )`
