import type { OutputOf } from '#contract/http/endpoint.ts'
import type { StaffAppointment } from '#contract/times/appointment.ts'
import type { listAppointments as listCall } from '#contract/times/times.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { isReferenced, oneRow, oneValue, rows } from '#server/db/rows.ts'
import { hostHours, roleMay, users } from '#server/db/schema/accounts/users.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { events } from '#server/db/schema/events.ts'
import { owesAnswer } from '#server/db/schema/records.ts'
import { write, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Fields } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { appointmentJson, fieldsJson, stateSql } from '#server/kinds/store/record.ts'
import type { CalendarEvent } from '#server/mail-out/render/invitation.ts'
import {
  appointmentsEnded,
  hostFirstName,
  queueInvitations,
  remindersGone,
} from '#server/mail-out/store/appointments.ts'
import { hasLeft } from '#server/status-page/store/find.ts'
import type { Busy } from '../slots.ts'
import type { Host } from './hours.ts'

const kind = kindByPath.consultations

/** A host's appointments from now on, as milliseconds; without the appointment of one record. */
export const heldTimes = async (
  db: Database,
  hostId: string,
  exceptRecord: string | null,
): Promise<Busy[]> => {
  const found = await rows<{ start: string; end: string }>(
    db,
    sql`select a.start_at as start, a.end_at as end from ${appointments} a
      where a.host_id = ${hostId}::uuid and a.state = 'booked' and a.end_at > now() - interval '1 day'
        and a.record_id is distinct from ${exceptRecord}::uuid`,
  )
  return found.map(({ start, end }) => [Date.parse(start), Date.parse(end)])
}

interface Upcoming {
  id: string
  hostId: string | null
  /** The name by which senders know the host; null where the brand stands for them. */
  host: string | null
  start: string
  end: string
}

export const upcomingOf = async (db: Database, recordId: string) => {
  const [found] = await rows<Upcoming & { sequence: number; fields: Fields }>(
    db,
    sql`select a.id, a.sequence, a.host_id as "hostId", a.start_at as start, a.end_at as end,
        ${hostFirstName} as host, ${fieldsJson(kind)} as fields
      from ${appointments} a join ${consultations} r on r.id = a.record_id and r.box = 'inbox'
        left join ${users} h on h.id = a.host_id
      where a.record_id = ${recordId}::uuid and a.state = 'booked' and a.end_at > now()`,
  )
  return found
}

interface NewAppointment {
  recordId: string
  host: Host
  /** ISO 8601 in UTC. */
  start: string
  minutes: number
  zone?: string | undefined
  /** Staff; left out for the sender. */
  actor?: Actor
  /** Counted against in the same statement. */
  limit: Limit
}

/** 23P01: another appointment is in the way. Or the host was deleted meanwhile. */
const isTaken = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23P01' || isReferenced(error)

/** True if the record was booked while the statement waited for it: {@link book} sets no state then. */
const isUnseen = (error: unknown): boolean => {
  const { code, column } = error as { code?: unknown; column?: unknown }
  return code === '23502' && column === 'state'
}

/**
 * Books a time, or moves the record's appointment to it; a constraint refuses a time that another
 * appointment of the host holds. Booking the same again changes nothing.
 *
 * @returns `gone` where the record is not in the inbox or was withdrawn
 * @throws the driver's error of a full limit
 */
export const book = async (
  db: Database,
  wanted: NewAppointment,
): Promise<StaffAppointment | 'taken' | 'gone'> => {
  const { recordId, host, start, minutes, zone, actor, limit } = wanted
  const { userId: hostId, buffer, place } = host
  const at = sql`${start}::timestamptz(3)`
  const after = (length: number) => sql`${at} + make_interval(mins => ${length}::int)`
  try {
    const [done] = await write<{ appointment: StaffAppointment | null; isThere: boolean }>(
      db,
      sql`
        target as materialized (
          select t.* from ${consultations} t
          where t.id = ${recordId}::uuid and t.box = 'inbox' and t.withdrawn_at is null for update
        ),
        -- One taker of a host after the other: each then meets what the one before has stored.
        host as materialized (
          select q.user_id from ${hostHours} q join ${users} u on u.id = q.user_id
          where q.user_id = ${hostId}::uuid and ${roleMay(sql`u.role`, 'records.change')}
            and exists (select from target)
          for update of q
        ),
        past as (
          update ${appointments} a set state = 'past' from target t
          where a.record_id = t.id and a.state = 'booked' and a.end_at <= now() returning a.id
        ),
        -- Locked, so that it is what a change at the same moment has left.
        before as materialized (
          select a.* from ${appointments} a join target t on t.id = a.record_id
          where a.state = 'booked' and a.end_at > now() for update of a
        ),
        taken as (
          insert into ${appointments} as a (record_id, host_id, start_at, end_at, held_until, place, state)
          select t.id, host.user_id, ${at}, ${after(minutes)}, ${after(minutes + buffer)}, ${place}::text, 'booked'
          from target t, host
          where (select count(*) from past) >= 0 and (select count(*) from before) >= 0 and ${at} > now()
          on conflict (record_id) where state = 'booked' do update set
            host_id = excluded.host_id, start_at = excluded.start_at, end_at = excluded.end_at,
            held_until = excluded.held_until, place = excluded.place, sequence = a.sequence + 1,
            -- Null refuses a statement that began before the appointment was booked: it cannot tell that host.
            state = (select b.state from before b), answer = null, updated_at = now()
          where (a.host_id, a.start_at, a.end_at)
            is distinct from (excluded.host_id, excluded.start_at, excluded.end_at)
          returning a.*, case when a.sequence = 0 then 'booked' else 'moved' end as what
        ),
        handed as (
          select x.id, x.record_id, h.host_id, h.start_at, h.end_at, h.place, x.sequence, h.what,
            (x.start_at, x.end_at) = (b.start_at, b.end_at) as stays
          from before b join taken x on x.id = b.id and x.host_id <> b.host_id
            cross join lateral (values
              (b.host_id, b.start_at, b.end_at, b.place, 'left'),
              (x.host_id, x.start_at, x.end_at, x.place, 'given')
            ) as h (host_id, start_at, end_at, place, what)
        ),
        planned as materialized (
          select t.id, t.version + 1 as version, ${stateSql(kind, sql.raw('t'))} as state
          from target t join taken x on x.record_id = t.id
        ),
        updated as (
          update ${consultations} r set version = p.version, updated_at = now() from planned p
          where p.id = r.id returning r.id
        ),
        logged as (
          ${recordEvent({
            from: sql`taken x join planned p on p.id = x.record_id`,
            kind: sql`x.what`,
            by: actor,
            targetKind: kind.path,
            targetId: sql`x.record_id`,
            fields: ['appointment'],
            after: sql`jsonb_build_object('state', p.state, 'to', ${iso(sql`x.start_at`)},
                'from', (select ${iso(sql`b.start_at`)} from before b))`,
            version: sql`p.version`,
          })}
        ),
        reminders_gone as (${remindersGone(sql`taken`)}),
        told as (${queueInvitations(sql`taken`, {
          to: sql`(not exists (select from handed)
            or (t.who = 'sender' and not exists (select from handed where stays)))`,
          zone: sql`${zone ?? null}::text`,
        })}),
        handed_told as (${queueInvitations(sql`handed`, {
          to: sql`(t.who = 'host' or (x.what = 'given' and x.stays))`,
          zone: sql`${zone ?? null}::text`,
        })}),
        counted as (${countAttempt([limit], sql`exists (select from taken)`)})`,
      sql`select
        exists (select from target) as "isThere",
        coalesce(
          (select ${appointmentJson} from taken a),
          (select ${appointmentJson} from before a
            where a.start_at = ${at} and a.end_at = ${after(minutes)} and a.host_id = ${hostId}::uuid)
        ) as appointment`,
    )
    if (!done?.isThere) return 'gone'
    return done.appointment ?? 'taken'
  } catch (error) {
    if (isUnseen(error)) return book(db, wanted)
    if (isTaken(error)) return 'taken'
    throw error
  }
}

/** Cancels a record's appointment to come; undefined where there is none. A sender is owed an answer then. */
export const cancel = async (
  db: Database,
  recordId: string,
  { by, text }: { by?: { actor: Actor; limit: Limit }; text?: string | undefined },
): Promise<StaffAppointment | undefined> => {
  const clock = by ? sql`` : sql`${owesAnswer},`
  const cancelled = await writeValue<StaffAppointment | null>(
    db,
    sql`
      target as materialized (
        select t.* from ${consultations} t where t.id = ${recordId}::uuid and t.box = 'inbox' for update
      ),
      planned as materialized (
        select t.id, t.version + 1 as version, ${stateSql(kind, sql.raw('t'))} as state from target t
      ),
      ${appointmentsEnded(sql`select id from target`, {
        actor: by?.actor,
        text: sql`${text ?? null}::text`,
        planned: sql`planned`,
      })},
      updated as (
        update ${consultations} r set ${clock} version = p.version, updated_at = now()
        from ended x join planned p on p.id = x.record_id where p.id = r.id
      )
      ${by ? sql`, counted as (${countAttempt([by.limit], sql`exists (select from ended)`)})` : sql``}`,
    sql`select (select ${appointmentJson} from ended a) as appointment`,
  )
  return cancelled ?? undefined
}

export const listAppointments = (
  db: Database,
  { from, to, host }: { from: string; to: string; host: string | undefined },
): Promise<OutputOf<typeof listCall>['data']> =>
  rows(
    db,
    sql`select a.id as "_id", json_build_object('kind', 'consultations', '_id', a.record_id) as record,
        r.name, a.start_at as start, a.end_at as end, u.username as host,
        case when a.state = 'cancelled' then 'cancelled' else 'booked' end as state,
        coalesce(r.source->>'timeZone', 'UTC') as zone
      from ${appointments} a join ${consultations} r on r.id = a.record_id
        left join ${users} u on u.id = a.host_id
      where a.start_at >= ${from}::timestamptz and a.start_at < ${to}::timestamptz
        and (${host ?? null}::text is null or lower(u.username) = lower(${host ?? null}::text))
      order by a.start_at, a.id`,
  )

/** The times in the newest message with times, once it has left. */
export interface OfferedTimes {
  host: string
  minutes: number
  /** Starts; null for all free hours of the host. */
  slots: string[] | null
}

/** `isChangedSince`: staff have moved the appointment, or given it to a host, since times were offered. */
export const offeredTimes = (db: Database, recordId: string) =>
  oneRow<{ offered: OfferedTimes | null; upcoming: Upcoming | null; isChangedSince: boolean }>(
    db,
    sql`with newest as (
        select e.after->'times' as times, e.version from ${events} e
        where e.target_kind = 'consultations' and e.target_id = ${recordId}::uuid and e.kind = 'times'
          and ${hasLeft}
        order by e.id desc limit 1
      )
      select
      (select times from newest) as offered,
      (
        select json_build_object('id', a.id, 'hostId', a.host_id, 'host', ${hostFirstName}, 'start', ${iso(sql`a.start_at`)},
          'end', ${iso(sql`a.end_at`)})
        from ${appointments} a left join ${users} h on h.id = a.host_id
        where a.record_id = ${recordId}::uuid and a.state = 'booked' and a.end_at > now()
      ) as upcoming,
      exists (
        select from ${events} e join newest n on e.version > n.version
        where e.target_kind = 'consultations' and e.target_id = ${recordId}::uuid and e.kind = 'moved'
          and e.by_id is not null
      ) as "isChangedSince"`,
  )

type FeedEntry = Pick<CalendarEvent, 'sequence' | 'start' | 'end' | 'place'> &
  Record<'id' | 'updatedAt' | 'name' | 'recordId', string>

/** The appointments of the account whose calendar the token opens; undefined for an unknown one. */
export const readFeed = (db: Database, tokenHash: string) =>
  oneValue<FeedEntry[]>(
    db,
    sql`select (
        select coalesce(json_agg(json_build_object('id', a.id, 'sequence', a.sequence,
          'updatedAt', ${iso(sql`a.updated_at`)}, 'start', ${iso(sql`a.start_at`)}, 'end', ${iso(sql`a.end_at`)},
          'place', a.place, 'name', r.name, 'recordId', r.id) order by a.start_at), '[]')
        from ${appointments} a join ${consultations} r on r.id = a.record_id and r.box = 'inbox'
        where a.host_id = l.user_id and a.state <> 'cancelled' and a.end_at > now() - interval '30 days'
      )
      from calendar_links l join ${users} u on u.id = l.user_id
      where l.token_hash = ${tokenHash} and l.credential_version = u.credential_version
        and ${roleMay(sql`u.role`, 'records.change')}`,
  )

/** Sets the address of an account's calendar; null ends it. */
export const setCalendarLink = async (db: Database, userId: string, tokenHash: string | null) => {
  const change =
    tokenHash === null
      ? sql`delete from calendar_links where user_id = ${userId}::uuid`
      : sql`insert into calendar_links (user_id, token_hash, credential_version)
          select id, ${tokenHash}, credential_version from ${users} where id = ${userId}::uuid
          on conflict (user_id) do update set token_hash = excluded.token_hash,
            credential_version = excluded.credential_version, created_at = now()`
  await write(db, sql`l as (${change} returning user_id)`, sql`select 1 from l`)
}
