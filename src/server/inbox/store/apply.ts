import { type SQL, sql } from 'drizzle-orm'
import { recordEvent } from '#server/db/events/record-event.ts'
import { hitsWithin, windowOf } from '#server/db/rate-limit.ts'
import { mail } from '#server/db/schema/mail.ts'
import { rateLimits } from '#server/db/schema/rate-limits.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { stateSql } from '#server/kinds/store.ts'
import { acknowledgements } from '#server/mail/limit.ts'

/** The columns that staff's changes touch; an event's `before` and `after` are keyed by them. */
export const changeable = [
  'status',
  'acted_by',
  'acted_at',
  'assignee_id',
  'box',
  'trashed_from',
  'trashed_at',
  'spam',
  'keep',
  'waiting_for',
  'last_message_at',
  'snoozed_until',
  'email',
  'search',
] as const

const columns = (prefix: string): SQL => sql.raw(changeable.map((c) => prefix + c).join(', '))

// An assignee who was deleted meanwhile is nobody, not a broken reference: the lock sees it even where
// the deletion is under way.
const restored = sql.raw(
  changeable
    .map((c) =>
      c === 'assignee_id'
        ? '(select u.id from users u where u.id = n.assignee_id for key share)'
        : `n.${c}`,
    )
    .join(', '),
)

const recent = hitsWithin(windowOf(acknowledgements))

/**
 * Mail follows its record's box. What has not gone out is held while the record is spam; a released
 * record's mail waits for sending, acknowledgements only within their limit for each recipient.
 */
const mailFollows = (kind: Kind, acknowledgementKeys: Readonly<Record<string, string>>): SQL => {
  const max = sql`${acknowledgements.max}::int`
  return sql`
    held_back as (
      update ${mail} m set status = 'held' from updated x
      where x.box = 'spam' and x.was <> 'spam' and m.status = 'waiting'
        and m.record_kind = ${kind.path} and m.record_id = x.id
    ),
    readdressed as (
      update ${mail} m set recipient = x.email from updated x
      where x.readdressed and x.box = x.was and m.record_kind = ${kind.path} and m.record_id = x.id
        and m.kind in ('acknowledgement', 'message') and m.status in ('waiting', 'held', 'failed')
    ),
    freed as (
      select m.id, m.kind, k.value as key, row_number() over (partition by k.value order by m.id) as nth
      from updated x join ${mail} m on m.record_kind = ${kind.path} and m.record_id = x.id
      left join jsonb_each_text(${JSON.stringify(acknowledgementKeys)}::jsonb) k on k.key = m.id::text
      where x.was = 'spam' and x.box = 'inbox' and m.status = 'held'
    ),
    allowance as (
      insert into ${rateLimits} as r (key, hits, max)
      select key, array_fill(now(), array[least(count(*), ${max})::int]), ${max}
      from freed where kind = 'acknowledgement' and key is not null group by key order by key
      on conflict (key) do update set
        hits = ${recent} || excluded.hits[1:greatest(0, ${max} - cardinality(${recent}))],
        max = excluded.max, updated_at = now()
      returning key, hits
    ),
    released as (
      update ${mail} m set status = 'waiting', next_attempt_at = now() from freed f
      where m.id = f.id and (
        f.kind <> 'acknowledgement' or f.nth <= (
          select count(*) from allowance a, unnest(a.hits) as h
          where a.key = f.key and h = now()::timestamptz(3)
        )
      )
    )`
}

/**
 * The part that every change has in common, after the CTEs
 * - `target`: the chosen rows of the kind's table, locked, and
 * - `entries (id, kind, fields, before, after, text)`: what happens to them, a row for each event.
 *
 * Rows, events and mail are written by the one statement; `change` is the id that undo takes.
 */
export const applied = (
  kind: Kind,
  actor: Actor,
  acknowledgementKeys: Readonly<Record<string, string>>,
): SQL => sql`
  planned as materialized (
    select t.id, t.version + 1 as version, t.box as was, e.patch, ${stateSql(kind, sql.raw('t'))} as state
    from target t join (
      select e.id, jsonb_object_agg(f.key, f.value) as patch
      from entries e, jsonb_each(e.after) as f group by e.id
    ) as e on e.id = t.id
  ),
  updated as (
    update ${kind.table} r
    set (${columns('')}) = (select ${restored} from jsonb_populate_record(r, p.patch) as n),
      version = p.version, updated_at = now()
    from planned p where p.id = r.id
    returning r.id, r.box, r.email, p.was, jsonb_exists(p.patch, 'email') as readdressed
  ),
  change as materialized (select uuid_v7() as id),
  logged as (
    ${recordEvent(
      {
        changeId: sql`change.id`,
        by: actor,
        kind: sql`e.kind`,
        targetKind: kind.path,
        targetId: sql`e.id`,
        fields: sql`e.fields`,
        before: sql`jsonb_build_object('state', p.state) || e.before`,
        after: sql`jsonb_build_object('state', p.version) || e.after`,
        text: sql`e.text`,
        version: sql`p.version`,
      },
      sql`entries e join planned p on p.id = e.id cross join change`,
    )}
    returning *
  ),
  ${mailFollows(kind, acknowledgementKeys)}`

/** The id of the change that `applied` wrote; null when it wrote none. */
export const changeId = sql`(select id from change where exists (select from planned))`
