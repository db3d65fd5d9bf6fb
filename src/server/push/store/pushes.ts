import * as z from 'zod/mini'
import { kindPaths } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { pushReasons } from '#contract/push.ts'
import { type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { idSince } from '#server/db/events/record-event.ts'
import { jsonObject } from '#server/db/json.ts'
import { LEASE, soon } from '#server/db/lease.ts'
import { checkedRows, rows, run, secondsOf } from '#server/db/rows.ts'
import { pushSubscriptions, roleMay, users } from '#server/db/schema/accounts/users.ts'
import { now } from '#server/db/schema/columns.ts'
import { events } from '#server/db/schema/events.ts'
import { pushes } from '#server/db/schema/pushes.ts'
import { isOwed } from '#server/db/schema/records.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { isDueByDay } from '#server/kinds/store/answer-days.ts'
import { fieldsJson, foundFields, row, unionOfShownKinds } from '#server/kinds/store/record.ts'

/** Before the promised time. */
const HALF = sql.raw(`interval '${limits.promiseHours / 2} hours'`)

const activeDevices: SQL = sql`
  select s.id, s.user_id, s.sealed, s.active_since, u.role
  from ${pushSubscriptions} s join ${users} u on u.id = s.user_id
  where s.credential_version = u.credential_version
    and ${roleMay(sql`u.role`, 'records.read')}`

/** True if nobody has the record `r`, or only somebody who may not read records any more. */
const hasNobody: SQL = sql`not exists (
  select from ${users} a
  where a.id = r.assignee_id and ${roleMay(sql`a.role`, 'records.read')}
)`

/** A record in the inbox that nobody has, or that is assigned to the device's owner. */
const isTheirs: SQL = sql`r.box = 'inbox' and r.withdrawn_at is null
  and (r.assignee_id = d.user_id or ${hasNobody})`

/** Records `r` that are owed an answer within 24 hours, of which half may pass; a day was promised for others. */
const waitsForSomebody = ({ owesDecision }: Kind): SQL =>
  sql`r.box = 'inbox' and ${isOwed(row)} and ${hasNobody} ${owesDecision ? sql`and not ${isDueByDay}` : sql``}`

const plannedOf = (kind: Kind, sinceSeconds: number): SQL => sql`
  select d.id as subscription_id,
    case e.kind when 'created' then 'submission' else 'reply' end as reason,
    ${kind.path}::text as record_kind, r.id as record_id, e.id::text as cause
  from ${events} e
  join ${kind.table} r on r.id = e.target_id and e.target_kind = ${kind.path}
  join devices d on d.active_since <= e.at
  where e.id >= ${idSince(sinceSeconds)} and e.kind in ('created', 'reply') and ${isTheirs}
  union all
  select d.id, 'half', ${kind.path}::text, r.id,
    r.id::text || ':' || floor(extract(epoch from r.due_at))
  from ${kind.table} r join devices d on d.active_since <= r.due_at - ${HALF}
  where ${waitsForSomebody(kind)} and r.due_at > now() and r.due_at <= ${soon} + ${HALF}
    and coalesce(r.snoozed_until <= now(), true)`

/**
 * Plans a notification of each recent event for each device that should get it, never twice.
 *
 * @param sinceSeconds how far back to look for what came
 */
export const planPushes = (db: Database, sinceSeconds: number): Promise<unknown> =>
  rows(
    db,
    sql`with devices as materialized (${activeDevices})
      insert into ${pushes} (subscription_id, reason, record_kind, record_id, cause)
      select p.subscription_id, p.reason, p.record_kind, p.record_id, p.cause
      from (${unionOfShownKinds((kind) => plannedOf(kind, sinceSeconds))}) as p
      on conflict (subscription_id, cause) do nothing`,
  )

const claimedPush = z.object({
  id: z.string(),
  subscriptionId: z.string(),
  reason: z.enum(pushReasons),
  cause: z.string(),
  attempts: z.int(),
  /** Null where its device gets none any more. */
  device: z.nullable(z.object({ userId: z.string(), sealed: z.string(), mayChange: z.boolean() })),
  /** Null in a test, and where the record no longer gives reason. */
  record: z.nullable(
    z.object({
      kind: z.enum(kindPaths),
      id: z.string(),
      isAssigned: z.boolean(),
      fields: foundFields,
    }),
  ),
})
export type ClaimedPush = z.output<typeof claimedPush>

/** The record of the push `c` for the device `d`, where it still gives reason for it. */
const recordOf = (kind: Kind): SQL => sql`
  select ${jsonObject({
    kind: sql`${kind.path}::text`,
    id: sql`r.id`,
    isAssigned: sql`r.assignee_id is not null`,
    fields: fieldsJson(kind),
  })} as record
  from ${kind.table} r
  where c.record_kind = ${kind.path} and r.id = c.record_id and ${isTheirs}
    and (c.reason <> 'half' or (${waitsForSomebody(kind)}))`

/** Takes pushes that are due, oldest first; no other worker gets them while the lease lasts. */
export const claimPushes = (db: Database, count: number): Promise<ClaimedPush[]> =>
  checkedRows(
    db,
    claimedPush,
    sql`with
      c as (
        update ${pushes} set leased_until = now() + ${LEASE}
        where id in (
          select id from ${pushes}
          where done_at is null and next_attempt_at <= ${soon}
            and (leased_until is null or leased_until <= now())
          order by next_attempt_at limit ${count} for update skip locked
        )
        returning *
      ),
      devices as materialized (${activeDevices})
      select c.id, c.subscription_id as "subscriptionId", c.reason, c.cause, c.attempts,
        case when d.id is not null then json_build_object(
          'userId', d.user_id, 'sealed', d.sealed,
          'mayChange', ${roleMay(sql`d.role`, 'records.change')}
        ) end as device,
        record.record
      from c
      left join devices d on d.id = c.subscription_id and d.active_since <= c.created_at
      left join lateral (${unionOfShownKinds(recordOf)}) as record on true`,
  )

/** Writes down that a push was sent, or that there was no reason for it any more. */
export const finishPush = (db: Database, id: string): Promise<unknown> =>
  run(db.update(pushes).set({ doneAt: now, leasedUntil: null }).where(eq(pushes.id, id)))

export const postponePush = (db: Database, id: string, seconds: number): Promise<unknown> =>
  run(
    db
      .update(pushes)
      .set({
        attempts: sql`${pushes.attempts} + 1`,
        leasedUntil: null,
        nextAttemptAt: sql`now() + make_interval(secs => ${seconds}::int)`,
      })
      .where(eq(pushes.id, id)),
  )

export const forgetDevice = (db: Database, subscriptionId: string): Promise<unknown> =>
  run(db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, subscriptionId)))

/** Records of a kind of which half the promised time has passed, or whose snooze ended after it. */
const halfTimes = (kind: Kind): SQL => sql`
  select greatest(r.due_at - ${HALF}, r.snoozed_until) as at
  from ${kind.table} r
  where ${waitsForSomebody(kind)} and r.due_at > now()
    and greatest(r.due_at - ${HALF}, r.snoozed_until) > ${soon}
    and greatest(r.due_at - ${HALF}, r.snoozed_until) < r.due_at
    and exists (select from devices)`

/** Seconds until a push is due or may have to be planned; null where nothing waits. */
export const secondsUntilPush = (db: Database): Promise<number | null> =>
  secondsOf(
    db,
    sql`with devices as materialized (${activeDevices})
      select extract(epoch from min(at) - now())::float8 as seconds from (
        select greatest(next_attempt_at, leased_until) as at from ${pushes} where done_at is null
        union all
        ${unionOfShownKinds(halfTimes)}
      ) as times`,
  )
