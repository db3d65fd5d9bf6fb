import { type SQL, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { idempotencyKeys, keyedCalls } from '#server/db/schema/calls.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { personalKinds } from '#server/mail-out/message.ts'
import { appointmentsGone } from '#server/mail-out/store/appointments.ts'

/**
 * True if a message `m` is the recipient's own data. What tells staff about a record belongs to the
 * record, also where a staff address is the same; what was written to an account belongs to a
 * person without one, too.
 */
export const isPersonal: SQL = sql`(
  m.kind = any(${sql.param(personalKinds)}::text[]) or (m.kind in ('account', 'digest')
    and not exists (select from ${users} u where lower(u.email) = lower(m.recipient)))
)`

/** Messages `m` that were written to the person at this address, whatever record they are about. */
export const isWrittenTo = (email: string): SQL =>
  sql`(lower(m.recipient) = lower(${email}) and ${isPersonal})`

const isMail: SQL = sql.raw(`e.kind in ('reply', 'auto')`)

const sentFrom: SQL = sql.raw(`lower(e.after->>'from')`)

/** Mails `e` from one of some addresses that are kept on the record of another one. */
export const isReplyFrom = (isOne: (address: SQL) => SQL): SQL =>
  sql`(${isMail} and ${isOne(sentFrom)})`

/** The address that a record had before or after a correction `e`, or after its undo. */
const correctedAddresses: SQL = sql`
  ${events} e cross join lateral (
    values (lower(e.before->>'email')), (lower(e.after->>'email'))
  ) as corrected (address)`

const isCorrection: SQL = sql.raw(`e.kind in ('corrected', 'undo') and address is not null`)

/** The addresses that are kept on records of others, each with its time. */
export const otherAddresses: SQL = sql`
  select ${sentFrom} as address, e.at from ${events} e where ${isMail} and ${sentFrom} is not null
  union all
  select address, e.at from ${correctedAddresses} where ${isCorrection}`

/**
 * Empties corrections of records that had one of some addresses and have another one now, as a step
 * before `purgeBesides`.
 */
export const correctionsEmptied = (isOne: (address: SQL) => SQL): SQL => sql`
  corrections as materialized (
    select e.id as event, e.target_kind as kind, e.target_id as id, address from ${correctedAddresses}
    where ${isCorrection} and ${isOne(sql.raw('address'))}
  ),
  corrections_emptied as (
    update ${events} set before = null, after = null where id in (select event from corrections)
  )`

/** Deletes mails `e`, as a step before `purgeBesides`. */
export const repliesGone = (replies: SQL): SQL => sql`
  replies_gone as (
    delete from ${events} e where ${replies}
    returning e.target_kind as kind, e.target_id as id, ${sentFrom} as address
  )`

/** Other people's records that contained the person's address: stored answers to calls on them may name it. */
const recordsWithThem: SQL = sql`
  select id from replies_gone union all select id from corrections`

/**
 * Mail to staff about the mails in `replies_gone`, or about a record before its correction: it names the address,
 * or is answered to it.
 */
const isAnnouncementOfThem: SQL = sql`
  (m.kind in ('staff', 'webhook') and exists (
    select from (
      select kind, id, address from replies_gone union all select kind, id, address from corrections
    ) as g
    where g.kind = m.record_kind and g.id = m.record_id
      and (position(g.address in lower(m.text)) > 0 or lower(m.reply_to) = g.address)
  ))`

/**
 * Data that goes with erased records, after a CTE `gone (kind, id, keep)` that names them: mail, keys and
 * what was written. What staff did stays in the audit log, without the values; nothing is left to undo.
 * The trigger `purge_late` deletes what is neither counted nor kept, at the end of the statement.
 *
 * @param mailToo a condition on other messages `m`
 */
export const purgeBesides = (mailToo: SQL): SQL => sql`
  mail_gone as (
    delete from ${mail} m
    where exists (select from gone g where g.kind = m.record_kind and g.id = m.record_id)
      or ${mailToo} or ${isAnnouncementOfThem}
    returning m.id, m.recipient, m.status, m.calendar
  ),
  keys_gone as (
    delete from ${idempotencyKeys} k using gone g where k.record_id = g.id and k.kind = g.kind
    returning 1
  ),
  calls_gone as (
    delete from ${keyedCalls}
    where target_id in (
      select id from gone union all select id from mail_gone union all ${recordsWithThem}
    )
  ),
  ${appointmentsGone},
  offers_gone as (
    delete from ${offers} o using gone g
    where g.kind = 'consultations' and o.record_id = g.id and not (g.keep and o.state = 'accepted')
    returning 1
  ),
  -- The offer stays with its name; the word that came with the acceptance goes.
  offers_stripped as (
    update ${offers} o set answer_text = null from gone g
    where g.kind = 'consultations' and o.record_id = g.id and g.keep and o.state = 'accepted'
  ),
  events_gone as (
    delete from ${events} e using gone g
    where e.target_kind = g.kind and e.target_id = g.id and (e.kind = 'note' or e.by is null) and e.via is null
    returning e.kind
  ),
  -- Of a message, too, who wrote it and when stays: the chain of the audit log covers it.
  events_stripped as (
    update ${events} e set before = null, after = null, text = null from gone g
    where e.target_kind = g.kind and e.target_id = g.id and e.kind <> 'note' and e.by is not null
    returning e.kind
  )`
