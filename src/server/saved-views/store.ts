import * as z from 'zod/mini'
import { may } from '#contract/http/access.ts'
import { limits } from '#contract/limits.ts'
import { type View, view } from '#contract/views.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEventOf } from '#server/db/events/record-event.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { checkedRows } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { views } from '#server/db/schema/settings.ts'
import { writeOne } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

const isOwn = (actor: Actor): SQL => sql`v.user_id is not distinct from ${actor.id}::uuid`

const isVisible = (actor: Actor): SQL => sql`(${isOwn(actor)} or v.shared)`

const viewJson = (actor: Actor): SQL =>
  jsonObject({
    _id: sql`v.id`,
    name: sql`v.name`,
    kind: sql`v.kind`,
    filter: sql`v.filter`,
    shared: sql`v.shared`,
    own: isOwn(actor),
    by: sql`(select u.username from ${users} u where u.id = v.user_id)`,
    version: sql`v.version`,
    updatedAt: iso(sql`v.updated_at`),
  })

const foundView = z.object({ view })

/** One's own in their order, then those of others by name. */
export const listViews = async (db: Database, actor: Actor): Promise<View[]> => {
  const found = await checkedRows(
    db,
    foundView,
    sql`select ${viewJson(actor)} as view from ${views} v where ${isVisible(actor)}
      order by not (${isOwn(actor)}), case when ${isOwn(actor)} then v.place end, lower(v.name), v.id`,
  )
  return found.map(({ view }) => view)
}

/** Undefined where there is none, or it belongs to another account and is not shared. */
export const findView = async (db: Database, id: string, actor: Actor) => {
  const [found] = await checkedRows(
    db,
    foundView,
    sql`select ${viewJson(actor)} as view from ${views} v
      where v.id = ${id}::uuid and ${isVisible(actor)}`,
  )
  return found?.view
}

/** The event of a change of `v`; the audit log names the fields, and no search text. */
const logged = (verb: 'create' | 'update' | 'delete', fields: readonly string[], actor: Actor) =>
  recordEventOf('v', { by: actor, kind: `view.${verb}`, targetKind: 'views', fields })

type NewView = Pick<View, 'name' | 'kind' | 'filter' | 'shared'>

/** The view is missing where the actor has too many; undefined where the account is gone. */
export const addView = (db: Database, { name, kind, filter, shared }: NewView, actor: Actor) =>
  writeOne<{ view: View | null }>(
    db,
    sql`
      -- The lock waits for a deletion of the account and for another new view; views_now counts after it.
      owner as materialized (select id from ${users} where id = ${actor.id}::uuid for no key update),
      v as (
        insert into ${views} (user_id, name, kind, filter, shared, place)
        select id, ${name}, ${kind}, ${JSON.stringify(filter)}::jsonb, ${shared}::boolean,
          (select coalesce(max(place) + 1, 0) from ${views} where user_id = ${actor.id}::uuid and kind = ${kind})
        from owner where views_now(id) < ${limits.views}
        returning *
      ),
      logged as (${logged('create', ['name', 'kind', 'filter', 'shared'], actor)})`,
    sql`select (select ${viewJson(actor)} from v) as view from owner`,
  )

type Changes = { readonly [Name in keyof NewView]?: NewView[Name] | undefined } & {
  readonly place?: number | undefined
}

/**
 * The stored view, changed where something differs; undefined where it is gone or no longer shared.
 */
export const changeView = (
  db: Database,
  id: string,
  { version, ...changes }: Changes & { version?: number | undefined },
  actor: Actor,
): Promise<{ view: View; isStale: boolean } | undefined> => {
  const { name = null, kind = null, filter, shared = null, place } = changes
  const given = Object.entries(changes).flatMap(([field, value]) =>
    value === undefined ? [] : [field],
  )
  const moved = sql`
    moved as (
      update ${views} other set place = at.place + (at.place >= ${place ?? 0})::int
      from v, (
        select id, kind, (row_number() over (partition by kind order by place, id) - 1)::int as place
        from ${views} where user_id = ${actor.id}::uuid and id <> ${id}::uuid
      ) as at
      where other.id = at.id and at.kind = v.kind
    ),`
  return writeOne(
    db,
    sql`
      stored as materialized (
        select v.*, coalesce(v.version <> ${version ?? null}::bigint, false) as is_stale,
          coalesce(${name}::text, v.name) as new_name,
          coalesce(${kind}::text, v.kind) as new_kind,
          coalesce(${filter ? JSON.stringify(filter) : null}::jsonb, v.filter) as new_filter,
          coalesce(${shared}::boolean, v.shared) as new_shared
        from ${views} v where v.id = ${id}::uuid and ${isVisible(actor)} for update
      ),
      v as (
        update ${views} v set
          name = new_name,
          kind = new_kind,
          filter = new_filter,
          shared = new_shared,
          place = coalesce(${place ?? null}::int, v.place),
          version = v.version + 1,
          updated_at = now()
        from stored s
        where v.id = s.id and not is_stale
          -- A place is one among other views, so that the stored number does not say whether it differs.
          and (${place !== undefined}::boolean or (s.name, s.kind, s.filter, s.shared)
            is distinct from (new_name, new_kind, new_filter, new_shared))
        returning v.*
      ),
      ${place === undefined ? sql`` : moved}
      logged as (${logged('update', given, actor)})`,
    sql`select ${viewJson(actor)} as view, false as "isStale" from v
      union all
      select ${viewJson(actor)}, is_stale from stored v where not exists (select from v)`,
  )
}

/** Undefined where the actor may not see one. Only an editor deletes a shared view. */
export const removeView = async (db: Database, id: string, actor: Actor) => {
  const mayRemove = sql`(not v.shared or ${may(actor.role, 'records.change')}::boolean)`
  return writeOne<{ isRemoved: boolean }>(
    db,
    sql`
      found as (
        select v.id, ${mayRemove} as "isRemoved" from ${views} v
        where v.id = ${id}::uuid and ${isVisible(actor)} for update
      ),
      v as (delete from ${views} where id in (select id from found where "isRemoved") returning *),
      logged as (${logged('delete', [], actor)})`,
    sql`select "isRemoved" from found`,
  )
}
