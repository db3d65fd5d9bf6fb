import { limits } from '#contract/limits.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Kind } from '../kind.ts'

export const isRecalled: SQL = sql`exists (
  select from ${mail} m where m.event_id = e.id and m.status = 'recalled'
)`

export const correctionsOf = (kind: Kind): SQL => sql`(
  select coalesce(json_agg(json_build_object(
    'at', ${iso(sql`e.at`)}, 'before', e.before, 'after', e.after - 'state') order by e.id), '[]')
  from ${events} e
  where e.target_kind = ${kind.path} and e.target_id = r.id and e.kind = 'corrected' and e.by is null
)`

/** Entries `e` that went to the sender as a mail of staff. */
export const isMessage: SQL = sql.raw(`e.kind in ('message', 'times', 'offer_sent')`)

/**
 * The delivery state of the message `e`. Its text stays with the event, its state with the mail.
 */
const messageDelivery = sql`coalesce(
  (
    select case
      when m.status in ('failed', 'recalled') then m.status
      when m.status <> 'sent' then 'waiting'
      when m.delivery = 'bounced' then 'bounced'
      when m.delivery is not null then 'delivered'
      else 'sent'
    end
    from ${mail} m where m.event_id = e.id order by m.id desc limit 1
  ), 'waiting')`

/** The times that the message `e` offers; a time that the host has promised to somebody else is taken. */
const offeredJson = sql`case when e.kind = 'times' then jsonb_build_object('slots', (
  select jsonb_agg(jsonb_build_object('start', s.start, 'taken', exists (
    select from ${appointments} a
    where a.host_id = (e.after->'times'->>'host')::uuid and a.record_id <> e.target_id and a.state = 'booked'
      and a.held_until > s.start::timestamptz
      and a.start_at < s.start::timestamptz + make_interval(mins => (e.after->'times'->>'minutes')::int)
  )) order by s.start)
  from jsonb_array_elements_text(nullif(e.after->'times'->'slots', 'null')) as s(start)
)) else '{}' end`

export const activityJson: SQL = (() => {
  const entry = sql.raw(`'_id', e.id, 'by', e.by, 'kind', e.kind, 'at', `)
  const at = iso(sql`e.at`)
  const ofMail = sql.raw(`coalesce(
    (select jsonb_object_agg(f.key, f.value) from jsonb_each(e.after) as f where f.key in ('verified', 'cut', 'attendance')), '{}')`)
  return sql`case
    when e.kind in ('status', 'assign') then json_build_object(${entry}${at},
      'from', coalesce(e.before->>'status', e.before->>'assignee'),
      'to', coalesce(e.after->>'status', e.after->>'assignee'))
    when ${isMessage} then (jsonb_build_object(${entry}${at}, 'text', e.text,
      'subject', e.after->>'subject', 'delivery', ${messageDelivery}) || ${offeredJson})::json
    when e.kind in ('reply', 'auto') then (jsonb_build_object(${entry}${at}, 'text', e.text, 'from', e.after->>'from',
      'subject', e.after->>'subject') || ${ofMail})::json
    when e.kind = 'created' and e.after is not null then (jsonb_build_object(${entry}${at},
      'subject', e.after->>'subject') || ${ofMail})::json
    when e.kind = 'corrected' and e.by is null then json_build_object(${entry}${at}, 'fields', e.fields)
    when e.kind in ('booked', 'moved', 'cancelled') then json_build_object(${entry}${at}, 'from', e.after->>'from',
      'to', e.after->>'to', 'text', coalesce(e.text, ''))
    when e.kind in ('offer_accepted', 'offer_declined') then json_build_object(${entry}${at}, 'text', coalesce(e.text, ''))
    when e.kind = 'note' then json_build_object(${entry}${at}, 'text', e.text)
    else json_build_object(${entry}${at})
  end`
})()

/** The same where it stands among others: a long text is cut. */
const shortActivityJson: SQL = sql`case
  when length(e.text) > ${limits.activity.text}::int then (
    (${activityJson})::jsonb || jsonb_build_object('text', left(e.text, ${limits.activity.text}::int), 'cut', true)
  )::json
  else ${activityJson}
end`

/**
 * The sort key of the activity: entries of one statement share a time, and a note follows its
 * change.
 */
const sortedBy = (e: string): SQL =>
  sql.raw(`${e}.at, coalesce(${e}.version, 2147483647), ${e}.kind = 'note', ${e}.kind, ${e}.id`)

/** Oldest first. */
export const activityOrder: SQL = sortedBy('e')

const newestFirst = sql.raw(
  `e.at desc, coalesce(e.version, 2147483647) desc, e.kind = 'note' desc, e.kind desc, e.id desc`,
)

/**
 * The newest entries of `record` before an entry: a query of `entry`, `id`, `nth` from the newest, and `bytes` up to
 * there. Who has scored is not told before one's own score is in.
 */
export const activityPage = (kind: Kind, record: SQL, before: string | null): SQL => sql`
  select e.id, ${shortActivityJson} as entry, row_number() over newest as nth,
    sum(octet_length((${shortActivityJson})::text)) over newest as bytes
  from (
    select e.* from ${events} e
    where e.target_kind = ${kind.path} and e.target_id = ${record} and e.kind <> 'score'
      and (${before}::uuid is null or (${sortedBy('e')}) < (
        select ${sortedBy('c')} from ${events} c where c.id = ${before}::uuid
      ))
    order by ${newestFirst} limit ${limits.activity.page + 1}::int
  ) as e
  window newest as (order by ${newestFirst})`
