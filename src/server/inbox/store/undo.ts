import { may } from '#contract/http/access.ts'
import type { KindPath } from '#contract/inbox.ts'
import type { Config } from '#server/config.ts'
import {
  and,
  type Column,
  type Database,
  eq,
  isNotNull,
  type SQL,
  sql,
} from '#server/db/drizzle.ts'
import { runOne } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { writeRow } from '#server/db/write.ts'
import { HttpError, pathId } from '#server/http/http-error.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kindByPath } from '#server/kinds/kinds.ts'
import { isMessage } from '#server/kinds/store/activity.ts'
import { hasAccepted, offersRecalled } from '#server/kinds/store/offers.ts'
import { stateSql } from '#server/kinds/store/record.ts'
import { applied, changeable, changeId } from './change.ts'
import { heldAcknowledgements } from './mail-follows.ts'

interface Undone {
  reverted: string[]
  conflicts: string[]
  event: string | null
}

const current = sql.raw(changeable.map((column) => `'${column}', r.${column}`).join(', '))

/** The change of an event; `kind` is null if it changed no records. */
const findChange = (db: Database, event: string) => {
  const box = (state: Column): SQL => sql`${state}->>'box'`
  const becomesSpam = sql`${box(events.before)} = 'inbox' and ${box(events.after)} = 'spam'`
  return runOne(
    db
      .select({
        kind: sql<KindPath | null>`min(${events.targetKind})`,
        byId: sql<string | null>`min(${events.byId}::text)`,
        ids: sql<string[]>`coalesce(json_agg(distinct ${events.targetId}), '[]')`,
        /** True if undoing it releases records from spam. */
        releases: sql<boolean>`coalesce(bool_or(${becomesSpam}), false)`,
        /** True if undoing it takes the right to delete, restore or exempt. */
        removes: sql<boolean>`coalesce(bool_or(
          ${box(events.before)} = 'trash' or ${box(events.after)} = 'trash' or jsonb_exists(${events.before}, 'keep')
        ), false)`,
        /** True if undoing it decides whether an accepted offer outlives its sender's erasure. */
        keepsAccepted: sql<boolean>`coalesce(bool_or(
          jsonb_exists(${events.before}, 'keep') and ${hasAccepted(sql`${events.targetId}`)}
        ), false)`,
      })
      .from(events)
      .where(and(eq(events.changeId, event), isNotNull(events.before))),
  )
}

const undoChange = (
  db: Database,
  kind: Kind,
  event: string,
  actor: Actor,
  acknowledgementKeys: Readonly<Record<string, string>>,
): Promise<Undone> =>
  writeRow<Undone>(
    db,
    sql`
      past as materialized (
        select e.target_id as id, max((e.after->>'state')::int) as state, max(e.version) as version,
          jsonb_object_agg(f.key, f.value) as patch, bool_or(${isMessage}) as wrote
        from ${events} e, jsonb_each(e.before) as f
        where e.change_id = ${event}::uuid group by e.target_id
      ),
      same as materialized (
        select r.*, p.wrote,
          -- A reply, a declined offer or a talk that the sender cancelled since then says who is to answer now; mail
          -- from another address does not.
          case when exists (
            select from ${events} x where x.target_kind = ${kind.path} and x.target_id = r.id
              and ((x.kind in ('reply', 'offer_declined') and not jsonb_exists(x.after, 'from'))
                or (x.kind = 'cancelled' and x.by_id is null))
              and x.version > p.version
          ) then p.patch - array['waiting_for', 'answered_at', 'due_at', 'last_message_at', 'snoozed_until'] else p.patch end as patch
        from ${kind.table} r join past p on p.id = r.id
        where p.state = ${stateSql(kind, sql.raw('r'))}
          -- A recalled message does not come back.
          and not exists (
            select from ${events} x where x.change_id = ${event}::uuid and x.target_id = r.id
              and jsonb_exists(x.after, 'recalled')
          )
        order by r.id for update of r
      ),
      recalled as (
        update ${mail} m set status = 'recalled', text = '', html = ''
        from ${events} e join same s on s.id = e.target_id
        where e.change_id = ${event}::uuid and ${isMessage} and m.event_id = e.id
          and m.status in ('waiting', 'held') and m.attempts = 0 and m.leased_until is null
        returning m.record_id, m.event_id
      ),
      ${offersRecalled(sql`select event_id from recalled`)},
      target as materialized (
        select s.* from same s where not s.wrote or s.id in (select record_id from recalled)
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
          case when r.wrote then r.patch || '{"recalled": true}' else r.patch end as after, null::text as text
        from target r
      ),
      ${applied(kind, actor, acknowledgementKeys)}`,
    sql`
      select
        (select coalesce(json_agg(id), '[]') from planned) as reverted,
        (select coalesce(json_agg(id), '[]') from past where id not in (select id from planned)) as conflicts,
        ${changeId} as event`,
  )

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
  const found = await findChange(db, pathId({ id: event }))
  if (!found?.kind) throw new HttpError('not_found')
  if (found.byId !== actor.id) throw new HttpError('forbidden')
  // A person who was an admin then and is an editor now cannot undo it.
  if (found.removes && !may(actor.role, 'records.remove')) throw new HttpError('forbidden')
  if (found.keepsAccepted && !may(actor.role, 'privacy.manage')) throw new HttpError('forbidden')

  const kind = kindByPath[found.kind]
  const held = found.releases ? await heldAcknowledgements(db, config, kind, found.ids) : {}
  return undoChange(db, kind, event, actor, held)
}
