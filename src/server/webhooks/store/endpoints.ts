import * as z from 'zod/mini'
import type { BodyOf } from '#contract/http/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { addEndpoint, changeEndpoint, WebhookEndpoint } from '#contract/programs/endpoints.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { anyRow, rows } from '#server/db/rows.ts'
import { webhookEndpoints } from '#server/db/schema/webhooks.ts'
import { writeOne, writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

const shown = sql`n.id as "_id", n.url, n.events, n.details, n.enabled,
  case when n.sealed_authorization is not null then true end as authorization,
  case when n.disabled_reason is not null then json_build_object('reason', n.disabled_reason,
    'problem', coalesce(n.problem, ''), 'at', ${iso(sql`n.disabled_at`)}) end as disabled,
  n.problem, ${iso(sql`n.created_at`)} as "createdAt"`

const logged = (
  actor: Actor,
  verb: 'create' | 'update' | 'delete',
  fields: readonly string[] = [],
): SQL =>
  recordEventOf('n', { by: actor, kind: `endpoint.${verb}`, targetKind: 'endpoints', fields })

export const findEndpoints = (db: Database): Promise<WebhookEndpoint[]> =>
  rows<WebhookEndpoint>(db, sql`select ${shown} from ${webhookEndpoints} n order by n.id`)

export const endpointExists = (db: Database, id: string): Promise<boolean> =>
  anyRow(db, sql`select from ${webhookEndpoints} where id = ${id}::uuid`)

interface NewEndpoint extends Omit<BodyOf<typeof addEndpoint>, 'authorization'> {
  id: string
  sealedSecret: string
  sealedAuthorization: string | null
}

/** Undefined where there are as many as there may be. */
export const insertEndpoint = (
  db: Database,
  actor: Actor,
  { id, url, events, details, enabled, sealedSecret, sealedAuthorization }: NewEndpoint,
): Promise<WebhookEndpoint | undefined> =>
  writeOne<WebhookEndpoint>(
    db,
    sql`n as (
        insert into ${webhookEndpoints}
          (id, url, events, details, enabled, sealed_secret, sealed_authorization)
        select ${id}::uuid, ${url}, ${sql.param(events)}::text[], ${details}, ${enabled},
          ${sealedSecret}, ${sealedAuthorization}::text
        where endpoints_now() < ${limits.webhookEndpoints}
        returning *
      ),
      logged as (${logged(actor, 'create', ['url', 'events', 'details', 'enabled'])})`,
    sql`select ${shown} from n`,
  )

interface EndpointChange extends Omit<BodyOf<typeof changeEndpoint>, 'authorization'> {
  /** Null removes it. */
  sealedAuthorization: string | null | undefined
}

/**
 * Absent fields stay. Switched on again, an endpoint hears of later events, and of those that
 * waited; of events that are added to its list, it hears of later ones. Undefined if there is none.
 */
export const updateEndpoint = async (
  db: Database,
  actor: Actor,
  id: string,
  { url, events, details, enabled, sealedAuthorization }: EndpointChange,
): Promise<WebhookEndpoint | undefined> => {
  const given = { url, events, authorization: sealedAuthorization, details, enabled }
  const fields = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : name))
  const list = sql`${events ? sql.param(events) : null}::text[]`
  const isFresh = sql`(${enabled ?? false}::boolean and not o.enabled)`
  const wantsMore = sql`not coalesce(${list}, o.events) <@ o.events`
  const startsAnew = sql`(${isFresh} or o.url <> ${url ?? null}::text)`
  return writeOne<WebhookEndpoint>(
    db,
    sql`n as (
        update ${webhookEndpoints} o set
          url = coalesce(${url ?? null}::text, o.url),
          events = coalesce(${list}, o.events),
          details = coalesce(${details ?? null}::boolean, o.details),
          enabled = coalesce(${enabled ?? null}::boolean, o.enabled),
          sealed_authorization = case when ${sealedAuthorization !== undefined}::boolean
            then ${sealedAuthorization ?? null}::text else o.sealed_authorization end,
          active_since = case when ${isFresh} or ${wantsMore} then now() else o.active_since end,
          failing_since = case when ${startsAnew} then null else o.failing_since end,
          problem = case when ${startsAnew} then null else o.problem end,
          disabled_reason = case when ${enabled ?? false}::boolean then null else o.disabled_reason end,
          disabled_at = case when ${enabled ?? false}::boolean then null else o.disabled_at end
        where o.id = ${id}::uuid
        returning o.*
      ),
      logged as (${logged(actor, 'update', fields)})`,
    sql`select ${shown} from n`,
  )
}

export const deleteEndpoint = (db: Database, actor: Actor, id: string): Promise<boolean> =>
  writesAny(
    db,
    sql`n as (delete from ${webhookEndpoints} where id = ${id}::uuid returning *),
      logged as (${logged(actor, 'delete')})`,
    sql`select id from n`,
  )

/** The secret before stays for 24 hours. */
export const replaceSecret = (db: Database, actor: Actor, id: string, sealedSecret: string) =>
  writeOne<WebhookEndpoint>(
    db,
    sql`n as (
        update ${webhookEndpoints} set sealed_old_secret = sealed_secret,
          old_secret_until = now() + interval '24 hours', sealed_secret = ${sealedSecret}
        where id = ${id}::uuid returning *
      ),
      logged as (${logged(actor, 'update', ['secret'])})`,
    sql`select ${shown} from n`,
  )

export const sealedEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  details: z.boolean(),
  sealedSecret: z.string(),
  /** Null once its 24 hours are over. */
  sealedOldSecret: z.nullable(z.string()),
  sealedAuthorization: z.nullable(z.string()),
})
export type SealedEndpoint = z.output<typeof sealedEndpoint>
