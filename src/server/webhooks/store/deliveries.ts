import * as z from 'zod/mini'
import { kindPaths } from '#contract/inbox.ts'
import { type WebhookDelivery, webhookEvents } from '#contract/programs/endpoints.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { idSince, recordEvent } from '#server/db/events/record-event.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { LEASE, soon } from '#server/db/lease.ts'
import { checkedRows, oneValue, rows, secondsOf } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { webhookDeliveries, webhookEndpoints } from '#server/db/schema/webhooks.ts'
import { writeOne, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { fieldsJson, foundFields, unionOfKinds } from '#server/kinds/store/record.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { tellSuperusers } from '#server/mail-out/store/account.ts'
import { sealedEndpoint } from './endpoints.ts'

/** The public name of a record's event; null if nobody outside hears of it. Its mail announces a message. */
const typeOf: SQL = sql.raw(`case
    when e.kind = 'created' then 'submission.created'
    when e.kind = 'reply' then 'reply.received'
    when e.kind in ('booked', 'moved', 'cancelled') then 'appointment.' || e.kind
    when e.kind = 'offer_accepted' then 'offer.accepted'
    when e.kind = 'offer_declined' then 'offer.declined'
    when e.kind in ('auto', 'message', 'note', 'times', 'offer_sent') or e.kind like 'agent.%' then null
    else 'submission.changed'
  end`)

/** The event of a submission: a record that was spam is announced once staff release it. */
const created = sql.raw(`'created:' || r.id::text`)

const plannedOf = (kind: Kind, since: SQL): SQL => sql`
  select ${typeOf} as type, case when e.kind = 'created' then ${created} else e.id::text end as cause,
    ${kind.path}::text as record_kind, r.id as record_id, e.id as event_id, e.at
  from ${events} e join ${kind.table} r on r.id = e.target_id and e.target_kind = ${kind.path}
  where exists (select from endpoints) and e.id >= ${since} and r.spam is null
  union all
  select 'submission.created', ${created}, ${kind.path}::text, r.id, e.id, e.at
  from ${events} e join ${kind.table} r on r.id = e.target_id and e.target_kind = ${kind.path}
  where exists (select from endpoints) and e.id >= ${since} and r.spam is null and e.kind = 'release'
  union all
  select 'message.sent', m.id::text, ${kind.path}::text, r.id, m.event_id, m.sent_at
  from ${mail} m join ${kind.table} r on r.id = m.record_id and m.record_kind = ${kind.path}
  -- Mail about a talk or an accepted offer has no event of its own.
  where exists (select from endpoints) and m.kind = 'message' and m.event_id is not null
    and m.status = 'sent' and m.sent_at >= (select at from since)`

/** The seconds for which a process that has just begun looks back. */
export const FIRST_LOOK_SECONDS = 3 * 24 * 3_600

/**
 * Plans a delivery of each recent event for each endpoint that wants it, never twice.
 *
 * @param seconds how far back to look
 * @returns whether there is any endpoint
 */
export const planDeliveries = async (db: Database, seconds: number): Promise<boolean> =>
  (await oneValue<boolean>(
    db,
    sql`with
      endpoints as materialized (
        select id, events, active_since from ${webhookEndpoints} where enabled
      ),
      since as (select now() - make_interval(secs => ${seconds}::int) as at),
      planned as (
        insert into ${webhookDeliveries} (endpoint_id, type, cause, record_kind, record_id, event_id, at)
        select n.id, p.type, p.cause, p.record_kind, p.record_id, p.event_id, p.at
        from (
          ${unionOfKinds((kind) => plannedOf(kind, idSince(seconds)))}
          union all
          select 'content.published', e.id::text, null, null, e.id, e.at
          from ${events} e
          where exists (select from endpoints) and e.id >= ${idSince(seconds)} and e.kind in ('content_published', 'content_shown')
        ) as p
        join endpoints n on p.type = any(n.events) and n.active_since <= p.at
        on conflict (endpoint_id, cause) do nothing
      )
      select exists (select from ${webhookEndpoints})`,
  )) ?? false

const found = z.object({
  id: z.string(),
  type: z.enum(webhookEvents),
  at: z.string(),
  tries: z.int(),
  endpoint: sealedEndpoint,
  event: z.nullable(
    z.object({
      id: z.string(),
      kind: z.string(),
      text: z.nullable(z.string()),
      after: z.unknown(),
    }),
  ),
  /** Null where the event is of no record, or the record is gone. */
  record: z.nullable(
    z.object({
      kind: z.enum(kindPaths),
      _id: z.string(),
      status: z.string(),
      box: z.string(),
      createdAt: z.string(),
      updatedAt: z.string(),
      version: z.int(),
      fields: foundFields,
    }),
  ),
  isOfRecord: z.boolean(),
})
export type ClaimedDelivery = z.output<typeof found>

const recordOf = (kind: Kind): SQL => sql`
  select ${jsonObject({
    kind: sql`${kind.path}::text`,
    _id: sql`r.id`,
    status: sql`r.status`,
    box: sql`r.box`,
    createdAt: iso(sql`r.created_at`),
    updatedAt: iso(sql`r.updated_at`),
    version: sql`r.version`,
    fields: fieldsJson(kind),
  })} as record
  from ${kind.table} r where d.record_kind = ${kind.path} and r.id = d.record_id`

/** The endpoint `n` takes the delivery `d`; a test goes to one that is switched off, too. */
const isTaken = sql`(n.enabled or d.type = 'test')`

/** Spam waits until it is released: staff may call a record spam after its event was planned. */
const isOfSpam = sql`exists (${unionOfKinds(
  ({ table }) => sql`select from ${table} r where r.id = d.record_id and r.spam is not null`,
)})`

const isOpen = sql`d.state = 'waiting' and ${isTaken} and not ${isOfSpam}`

/**
 * Takes deliveries that are due, oldest first; no other worker gets them while the lease lasts.
 *
 * @param perEndpoint how many of one endpoint
 * @param open the number of attempts under way, by endpoint
 */
export const claimDeliveries = (
  db: Database,
  perEndpoint: number,
  open: Readonly<Record<string, number>>,
): Promise<ClaimedDelivery[]> =>
  checkedRows(
    db,
    found,
    sql`with d as (
        update ${webhookDeliveries} set leased_until = now() + ${LEASE}
        where id in (
          select due.id from ${webhookEndpoints} n cross join lateral (
            select d.id from ${webhookDeliveries} d
            where d.endpoint_id = n.id and ${isOpen} and d.next_at <= ${soon}
              and (d.leased_until is null or d.leased_until <= now())
            order by d.next_at
            limit ${perEndpoint}::int - coalesce((${JSON.stringify(open)}::jsonb->>n.id::text)::int, 0)
            for update of d skip locked
          ) as due
        )
        returning *
      )
      select d.id, d.type, ${iso(sql`d.at`)} as at, d.tries, d.record_id is not null as "isOfRecord",
        ${jsonObject({
          id: sql`n.id`,
          url: sql`n.url`,
          details: sql`n.details`,
          sealedSecret: sql`n.sealed_secret`,
          sealedOldSecret: sql`case when n.old_secret_until > now() then n.sealed_old_secret end`,
          sealedAuthorization: sql`n.sealed_authorization`,
        })} as endpoint,
        case when e.id is not null then ${jsonObject({
          id: sql`e.id`,
          kind: sql`e.kind`,
          text: sql`e.text`,
          after: sql`e.after`,
        })} end as event,
        record.record
      from d join ${webhookEndpoints} n on n.id = d.endpoint_id
      left join ${events} e on e.id = d.event_id
      left join lateral (${unionOfKinds(recordOf)}) as record on true`,
  )

/** Removes a delivery about a record that is gone. */
export const dropDelivery = (db: Database, id: string): Promise<unknown> =>
  rows(db, sql`delete from ${webhookDeliveries} where id = ${id}::uuid`)

export type Attempt = Omit<WebhookDelivery['attempts'][number], 'at'>

/** An endpoint that has failed for so long is switched off. */
const PATIENCE = sql.raw(`interval '5 days'`)

/**
 * Writes down an attempt. A success ends the delivery, a failure puts it off or ends it; an endpoint that is gone
 * or has failed for days is switched off, what waits for it fails, and superusers are told.
 *
 * @param delay seconds until the next attempt; null where this was the last
 * @param notice what superusers are told
 * @returns whether the endpoint is switched off by it
 */
export const settleDelivery = async (
  db: Database,
  { id, attempt, delay }: { id: string; attempt: Attempt; delay: number | null },
  notice: Rendered,
): Promise<boolean> => {
  const isDelivered = attempt.problem === null
  const isGone = attempt.status === 410
  const entry = sql`jsonb_build_array(jsonb_build_object('at', ${iso(sql`now()`)},
    'status', ${attempt.status}::int, 'ms', ${attempt.ms}::int, 'problem', ${attempt.problem}::text))`
  const isOff = await oneValue<boolean>(
    db,
    sql`with
      verdict as materialized (
        select n.id, not ${isDelivered}::boolean and n.enabled
          and (${isGone}::boolean or coalesce(n.failing_since <= now() - ${PATIENCE}, false)) as is_off
        from ${webhookDeliveries} d join ${webhookEndpoints} n on n.id = d.endpoint_id
        where d.id = ${id}::uuid
        for no key update of n
      ),
      delivery as (
        update ${webhookDeliveries} d set attempts = d.attempts || ${entry}, tries = d.tries + 1,
          leased_until = null,
          state = case when ${isDelivered}::boolean then 'delivered'
            when v.is_off or ${delay === null}::boolean then 'failed' else d.state end,
          next_at = now() + make_interval(secs => ${delay ?? 0}::int)
        from verdict v where d.id = ${id}::uuid
      ),
      others as (
        update ${webhookDeliveries} d set state = 'failed'
        from verdict v where v.is_off and d.endpoint_id = v.id and d.state = 'waiting' and d.id <> ${id}::uuid
      ),
      endpoint as (
        update ${webhookEndpoints} n set
          failing_since = case when ${isDelivered}::boolean then null else coalesce(n.failing_since, now()) end,
          problem = ${attempt.problem}::text,
          enabled = n.enabled and not v.is_off,
          disabled_reason = case when v.is_off then ${isGone ? 'gone' : 'failing'} else n.disabled_reason end,
          disabled_at = case when v.is_off then now() else n.disabled_at end
        from verdict v where n.id = v.id
        returning v.is_off
      ),
      noticed as (${tellSuperusers(notice, sql`exists (select from endpoint where is_off)`)})
      select is_off from endpoint`,
  )
  return isOff ?? false
}

/** Seconds until a delivery is due; null where nothing waits. */
export const secondsUntilDelivery = (db: Database): Promise<number | null> =>
  secondsOf(
    db,
    sql`select extract(epoch from min(greatest(d.next_at, d.leased_until)) - now())::float8 as seconds
      from ${webhookDeliveries} d join ${webhookEndpoints} n on n.id = d.endpoint_id where ${isOpen}`,
  )

const shown = sql`d.id as "_id", d.type as event, ${iso(sql`d.at`)} as at, d.attempts, d.state,
  case when d.state = 'waiting' then ${iso(sql`d.next_at`)} end as "nextAt"`

export const listDeliveries = (
  db: Database,
  endpointId: string,
  { before, count }: { before: string | null; count: number },
) =>
  oneValue<WebhookDelivery[]>(
    db,
    sql`select coalesce((
        select json_agg(l) from (
          select ${shown} from ${webhookDeliveries} d
          where d.endpoint_id = n.id and (${before}::uuid is null or d.id < ${before}::uuid)
          order by d.id desc limit ${count}::int
        ) as l
      ), '[]')
      from ${webhookEndpoints} n where n.id = ${endpointId}::uuid`,
  )

export const queueTest = (db: Database, actor: Actor, endpointId: string) =>
  writeValue<string>(
    db,
    sql`d as (
      insert into ${webhookDeliveries} (endpoint_id, type, cause)
      select id, 'test', 'test:' || uuid_v7() from ${webhookEndpoints} where id = ${endpointId}::uuid
      returning *
    ),
    logged as (${recordEvent({ from: sql`d`, by: actor, kind: 'endpoint.test', targetKind: 'endpoints', targetId: sql`endpoint_id` })})`,
    sql`select id from d`,
  )

/**
 * Sends a delivery again with all its attempts, under its id; one that waits is due at once. Changes
 * nothing, and answers `delivery: null`, where its endpoint is switched off.
 */
export const retryDelivery = (db: Database, actor: Actor, id: string) =>
  writeOne<{ delivery: WebhookDelivery | null }>(
    db,
    sql`asked as (
      select d.id, ${isTaken} as is_taken
      from ${webhookDeliveries} d join ${webhookEndpoints} n on n.id = d.endpoint_id
      where d.id = ${id}::uuid
    ),
    d as (
      update ${webhookDeliveries} set state = 'waiting', tries = 0, next_at = now(), leased_until = null
      where id = (select id from asked where is_taken) returning *
    ),
    logged as (${recordEvent({ from: sql`d`, by: actor, kind: 'retry', targetKind: 'deliveries', targetId: sql`id` })})`,
    sql`select (select to_json(s) from (select ${shown} from d) as s) as delivery from asked`,
  )
