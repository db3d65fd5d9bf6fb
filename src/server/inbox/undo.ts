import { sql } from 'drizzle-orm'
import { may } from '#contract/access.ts'
import { uuidPattern } from '#contract/fields.ts'
import type { KindPath } from '#contract/inbox.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { users } from '#server/db/schema/users.ts'
import { write } from '#server/db/write.ts'
import { HttpError } from '#server/http/http-error.ts'
import type { Actor } from '#server/http/route.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { applied, changeable, changeId, stateSql } from './apply.ts'
import { heldAcknowledgements } from './change.ts'

interface Undone {
  reverted: string[]
  conflicts: string[]
  event: string | null
}

const current = sql.raw(changeable.map((column) => `'${column}', r.${column}`).join(', '))

/**
 * Puts back what a change of the actor's own altered, wherever nobody has changed the record since.
 * What it writes is a change like any other, so that it can be undone in turn.
 *
 * @throws HttpError `not_found` for what is no change of records; `forbidden` for another person's, and
 * for a deletion, a restoration or an exemption where the actor may not make one today
 */
export const undo = async (
  { db, config }: { db: Database; config: Config },
  event: string,
  actor: Actor,
): Promise<Undone> => {
  if (!uuidPattern.test(event)) throw new HttpError('not_found')
  const [found] = await rows<{
    kind: KindPath | null
    byId: string | null
    ids: string[]
    releases: boolean
    removes: boolean
  }>(
    db,
    sql`select min(target_kind) as kind, min(by_id::text) as "byId",
        coalesce(json_agg(distinct target_id), '[]') as ids,
        coalesce(bool_or(before->>'box' = 'inbox' and after->>'box' = 'spam'), false) as releases,
        coalesce(bool_or(
          before->>'box' = 'trash' or after->>'box' = 'trash' or jsonb_exists(before, 'keep')
        ), false) as removes
      from ${events} where change_id = ${event}::uuid and before is not null`,
  )
  if (!found?.kind) throw new HttpError('not_found')
  if (found.byId !== actor.id) throw new HttpError('forbidden')
  // What an admin did is not undone by the same person as an editor.
  if (found.removes && !may(actor.role, 'records.remove')) throw new HttpError('forbidden')

  const kind = kindByPath[found.kind]
  const held = found.releases ? await heldAcknowledgements(db, config, kind, found.ids) : {}
  const [undone] = await write<Undone>(
    db,
    sql`
      past as materialized (
        select e.target_id as id, max((e.after->>'state')::int) as state, jsonb_object_agg(f.key, f.value) as patch
        from ${events} e, jsonb_each(e.before) as f
        where e.change_id = ${event}::uuid group by e.target_id
      ),
      target as materialized (
        select r.*, p.patch from ${kind.table} r join past p on p.id = r.id
        where p.state = ${stateSql(kind, sql.raw('r'))}
        order by r.id for update of r
      ),
      entries as materialized (
        select r.id, 'undo'::text as kind,
          array(
            select distinct f from ${events} e, unnest(e.fields) as f
            where e.change_id = ${event}::uuid and e.target_id = r.id
          ) as fields,
          (
            select jsonb_object_agg(f.key, f.value)
            from jsonb_each(
              jsonb_build_object(${current}, 'assignee',
                (select u.username from ${users} u where u.id = r.assignee_id))
            ) as f
            where r.patch ? f.key
          ) as before,
          r.patch as after
        from target r
      ),
      ${applied(kind, actor, held)}`,
    sql`
      select
        (select coalesce(json_agg(id), '[]') from planned) as reverted,
        (select coalesce(json_agg(id), '[]') from past where id not in (select id from planned)) as conflicts,
        ${changeId} as event`,
  )
  if (!undone) throw new Error('An undo answered no row')
  return undone
}
