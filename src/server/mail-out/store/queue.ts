import type { MailKind } from '#contract/mail/outgoing-mail.ts'
import { and, type Database, eq, lt, type SQL, sql } from '#server/db/drizzle.ts'
import { LEASE, soon } from '#server/db/lease.ts'
import { hitsWithin, windowOf } from '#server/db/rate-limit.ts'
import { oneRow, rows, run, secondsOf } from '#server/db/rows.ts'
import { rateLimits } from '#server/db/schema/calls.ts'
import { now } from '#server/db/schema/columns.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Message } from '../message.ts'
import type { Next } from '../retry-policy.ts'

export interface Claimed extends Message {
  /** Attempts before this one. */
  attempts: number
  dueAt: string
}

/** Mail and webhooks are sent in parallel, so that neither waits for the other's receiver. */
export const lanes = ['mail', 'webhooks'] as const
export type Lane = (typeof lanes)[number]

/** Mail that is claimed together, in the order in which it leaves; webhooks go beside it. */
export type Queue = 'urgent' | 'acknowledgements' | 'staff' | 'webhooks'

const isIn: Readonly<Record<Queue, SQL>> = {
  urgent: sql`kind in ('code', 'account', 'message')`,
  acknowledgements: sql`kind = 'acknowledgement'`,
  staff: sql`kind in ('staff', 'digest')`,
  webhooks: sql`kind = 'webhook'`,
}

const isWaiting = eq(mail.status, 'waiting')

const isFree = sql.raw(`(leased_until is null or leased_until <= now())`)

/**
 * False for mail about an appointment while mail about an earlier change waits for the same recipient: a calendar
 * that reads a cancellation before its invitation keeps the appointment (RFC 5546, 2.1.4).
 */
const isNext = sql`(calendar is null or not exists (
  select from ${mail} as earlier
  where earlier.status = 'waiting' and earlier.record_kind = mail.record_kind
    and earlier.record_id = mail.record_id and earlier.recipient = mail.recipient
    and earlier.calendar->>'uid' = mail.calendar->>'uid'
    and (earlier.calendar->>'sequence')::int < (mail.calendar->>'sequence')::int
))`

const pauseKey = (lane: Lane): string => `paused:${lane}`

/** Until when a lane's receiver asks to be left alone; null where it never did. */
const pausedUntil = (lane: Lane): SQL =>
  sql`(select p.hits[1] from ${rateLimits} as p where p.key = ${pauseKey(lane)})`

/** The order in which mail leaves: a flood of one kind delays no kind before it. */
const order: readonly MailKind[] = [
  'code',
  'account',
  'message',
  'acknowledgement',
  'staff',
  'digest',
]

const rank = sql.raw(`array_position(array[${order.map((kind) => `'${kind}'`).join(', ')}], kind)`)

const due = (queue: Queue, count: number): SQL => sql`
  select id from ${mail}
  where status = 'waiting' and ${isIn[queue]} and next_attempt_at <= ${soon} and ${isFree}
    and ${isNext} and coalesce(${pausedUntil(queue === 'webhooks' ? queue : 'mail')} <= ${soon}, true)
  order by ${rank}, next_attempt_at, id
  limit ${count}
  for update skip locked`

const claimed = sql.raw(
  `id, kind, case when record_id is not null then json_build_object('kind', record_kind, 'id', record_id) end as record,
  recipient as "to", reply_to as "replyTo", event_id is not null as "isWritten", from_name as "fromName", subject, text, html, calendar, attempts,
  sealed, coalesce(expires_at <= now(), false) as "isExpired", next_attempt_at as "dueAt"`,
)

/** Takes messages that are due, oldest first; no other worker gets them while the lease lasts. */
export const claimDue = async (db: Database, queue: Queue, count: number): Promise<Claimed[]> => {
  const taken = await rows<Claimed>(
    db,
    sql`update ${mail} set leased_until = now() + ${LEASE} where id in (${due(queue, count)})
      returning ${claimed}`,
  )
  // An update answers its rows in no order.
  return taken.toSorted(
    (a, b) =>
      order.indexOf(a.kind) - order.indexOf(b.kind) ||
      a.dueAt.localeCompare(b.dueAt) ||
      a.id.localeCompare(b.id),
  )
}

const HOURLY = 'acknowledgements-sent'
const hour = windowOf({ windowSeconds: 3_600 })
const recent = hitsWithin(hour)

/**
 * Takes acknowledgements that are due, as many as the hour still allows. The row that counts them is
 * locked, so that workers at the same time stay within the limit together.
 *
 * @returns those taken, and whether others are due that the limit holds back
 */
export const claimAcknowledgements = (db: Database, count: number, perHour: number) => {
  const max = sql`${perHour}::int`
  // Each claim has a time of its own in the row, by which the statement sees what it was granted.
  const at = sql`greatest(now()::timestamptz(3), (select max(h) from unnest(r.hits) as h) + interval '1 millisecond')`
  return oneRow<{ claimed: Claimed[]; isLimited: boolean }>(
    db,
    sql`with
      due as materialized (${due('acknowledgements', count)}),
      granted as (
        insert into ${rateLimits} as r (key, hits, max)
        select ${HOURLY}, array_fill(now(), array[least(count(*), ${max})::int]), ${max}
        from due having count(*) > 0 and ${max} > 0
        on conflict (key) do update set
          hits = ${recent} || array_fill(
            ${at}, array[least(cardinality(excluded.hits), ${max} - cardinality(${recent}))]
          ),
          max = excluded.max, updated_at = now()
          where cardinality(${recent}) < ${max}
        returning (
          select count(*) from unnest(r.hits) as h where h = (select max(h) from unnest(r.hits) as h)
        ) as n
      ),
      taken as (
        update ${mail} set leased_until = now() + ${LEASE}
        where id in (select id from due limit (select coalesce(max(n), 0) from granted))
        returning ${claimed}
      )
      select
        (select coalesce(json_agg(taken), '[]') from taken) as claimed,
        (select count(*) from due) > (select count(*) from taken) as "isLimited"`,
  )
}

/** Puts off the acknowledgements that are due until the hour allows another one. */
export const holdBackAcknowledgements = (db: Database): Promise<unknown> => {
  const free = sql`coalesce(
    (
      select min(h) from ${rateLimits} as r, unnest(r.hits) as h
      where r.key = ${HOURLY} and h > now() - ${hour}
    ), now()
  ) + ${hour}`
  return run(
    db
      .update(mail)
      .set({ nextAttemptAt: free })
      .where(and(isWaiting, isIn.acknowledgements, lt(mail.nextAttemptAt, free), isFree)),
  )
}

export const giveBack = (db: Database, ids: readonly string[]): Promise<unknown> =>
  run(
    db
      .update(mail)
      .set({ leasedUntil: null })
      .where(sql`${mail.id} = any(${sql.param(ids)}::uuid[])`),
  )

/**
 * Sends a lane's receiver nothing for `seconds`: the messages that are due are put off, and later ones
 * are not claimed before.
 */
export const postpone = (db: Database, lane: Lane, seconds: number): Promise<unknown> => {
  const until = sql`now() + make_interval(secs => ${seconds}::int)`
  return rows(
    db,
    sql`with paused as (
        insert into ${rateLimits} as r (key, hits, max)
        values (${pauseKey(lane)}, array[${until}], 1)
        on conflict (key) do update
          set hits = array[greatest(r.hits[1], excluded.hits[1])], updated_at = now()
      )
      update ${mail} set next_attempt_at = ${until}
      where status = 'waiting' and (kind = 'webhook') = ${lane === 'webhooks'}::boolean
        and next_attempt_at < ${until} and ${isFree}`,
  )
}

/** Seconds until something is due, negative where it is overdue; null where nothing waits. */
export const secondsUntilDue = (db: Database): Promise<number | null> => {
  const pausedTo = sql`case when kind = 'webhook' then ${pausedUntil('webhooks')} else ${pausedUntil('mail')} end`
  return secondsOf(
    db,
    sql`select extract(epoch from min(greatest(next_attempt_at, leased_until, ${pausedTo})) - now())::float8 as seconds
      from ${mail} where ${isWaiting} and ${isNext}`,
  )
}

/**
 * Writes down how an attempt ended and gives the lease back; false where the message was erased
 * meanwhile.
 */
export const recordAttempt = async (db: Database, id: string, next: Next): Promise<boolean> => {
  const isSent = next.status === 'sent'
  const seconds = next.status === 'waiting' ? next.delay : 0
  // A message that was recalled while it was on its way stays recalled, unless it has gone out.
  const status = isSent
    ? next.status
    : sql`case when ${isWaiting} then ${next.status} else ${mail.status} end`
  const recorded = await run(
    db
      .update(mail)
      .set({
        status,
        attempts: sql`${mail.attempts} + 1`,
        leasedUntil: null,
        nextAttemptAt: sql`now() + make_interval(secs => ${seconds}::int)`,
        lastError: isSent ? null : next.error,
        ...(isSent && next.providerId !== null ? { providerId: next.providerId } : {}),
        ...(isSent ? { sentAt: now, sealed: null } : {}),
      })
      .where(eq(mail.id, id))
      .returning({ id: mail.id }),
  )
  return recorded.length > 0
}
