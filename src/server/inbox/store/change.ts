import { may } from '#contract/http/access.ts'
import type { ActivityKind } from '#contract/inbox.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { roleMay, users } from '#server/db/schema/accounts/users.ts'
import { writeRow } from '#server/db/write.ts'
import type { Core } from '#server/deps.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { hasAccepted } from '#server/kinds/store/offers.ts'
import { stateSql } from '#server/kinds/store/record.ts'
import { appointmentsEnded } from '#server/mail-out/store/appointments.ts'
import { heldAcknowledgements, mailFollows } from './mail-follows.ts'

/** Changes of one or many records by staff; absent fields stay. */
export interface RecordPatch {
  status?: string | undefined
  /** A username; null unassigns the record. */
  assignee?: string | null | undefined
  /** True if the assignee gets only what nobody has. */
  ifUnassigned?: boolean | undefined
  spam?: boolean | undefined
  trash?: boolean | undefined
  keep?: boolean | undefined
  /** An ISO time; null ends a snooze. */
  snoozedUntil?: string | null | undefined
  email?: string | undefined
}

export interface Outcome {
  /** The records that there are, as they were found. */
  found: { id: string; box: string; version: number }[]
  changed: string[]
  /** Names the change for undo; null when nothing changed. */
  event: string | null
  /** True if the assignee of the patch may change records. */
  assignable: boolean
}

/** One thing that happens to the row `t`, where `applies` holds. */
export interface Step {
  kind: ActivityKind
  /** As the API names them, for the audit log. */
  fields: readonly string[]
  applies: SQL
  before: SQL
  after: SQL
  text?: SQL
}

export const now = sql.raw('now()::timestamptz(3)')

/**
 * The box of `t` as it is. An update holds a row that somebody else has just changed against the table's
 * checks as it was before, so that a new box would stand beside the old time in the trash.
 */
const boxColumns = sql`jsonb_build_object('box', t.box, 'trashed_from', t.trashed_from, 'trashed_at', t.trashed_at)`

/**
 * The side that answers after a status was set: with the first we owe what we owed, with a final
 * one nothing. A kind that owes a decision owes it until a message tells it.
 */
const waitingAfter = (kind: Kind, status: string): SQL => {
  if (status === kind.statuses[0] || kind.owesDecision) return sql`'us'::text`
  return kind.finalStatuses.includes(status) ? sql`null::text` : sql`'them'::text`
}

/** Columns of `t` that say who is to answer, as they are and as they become. */
export const waitingBefore = sql`'waiting_for', t.waiting_for, 'answered_at', t.answered_at`

export const waitingColumns = (next: SQL): SQL => sql`'waiting_for', ${next},
  'answered_at', case when ${next} = 'us' then null when t.waiting_for = 'us' then ${now} else t.answered_at end`

export const patchSteps = (kind: Kind, patch: RecordPatch, actor: Actor): Step[] => {
  const steps: Step[] = []
  const { status, assignee, ifUnassigned, spam, trash, keep, snoozedUntil, email } = patch
  if (status !== undefined)
    steps.push({
      kind: 'status',
      fields: ['status', kind.who, kind.at],
      applies: sql`t.box <> 'trash' and t.status <> ${status}::text`,
      before: sql`jsonb_build_object('status', t.status, 'acted_by', t.acted_by, 'acted_at', t.acted_at,
        ${waitingBefore})`,
      after: sql`jsonb_build_object('status', ${status}::text, 'acted_by', ${actor.username}::text, 'acted_at', ${now},
        ${waitingColumns(waitingAfter(kind, status))})`,
    })
  if (assignee !== undefined)
    steps.push({
      kind: 'assign',
      fields: ['assignee'],
      applies: sql`t.box <> 'trash' and ${
        ifUnassigned
          ? sql`t.assignee_id is null`
          : sql`t.assignee_id is distinct from (select id from who)`
      }`,
      before: sql`jsonb_build_object('assignee_id', t.assignee_id,
        'assignee', (select u.username from ${users} u where u.id = t.assignee_id))`,
      after: sql`jsonb_build_object('assignee_id', (select id from who), 'assignee', (select username from who))`,
    })
  if (spam !== undefined)
    steps.push({
      kind: spam ? 'spam' : 'release',
      fields: ['box', 'spam'],
      applies: sql`t.box = ${spam ? 'inbox' : 'spam'}`,
      before: sql`jsonb_build_object('box', t.box, 'spam', t.spam)`,
      after: spam
        ? sql`jsonb_build_object('box', 'spam', 'spam', array['staff'])`
        : sql`jsonb_build_object('box', 'inbox', 'spam', null)`,
    })
  if (trash !== undefined)
    steps.push({
      kind: trash ? 'delete' : 'restore',
      fields: ['box'],
      applies: trash ? sql`t.box <> 'trash'` : sql`t.box = 'trash'`,
      before: boxColumns,
      after: trash
        ? sql`jsonb_build_object('box', 'trash', 'trashed_from', t.box, 'trashed_at', ${now})`
        : sql`jsonb_build_object('box', t.trashed_from, 'trashed_from', null, 'trashed_at', null)`,
    })
  if (keep !== undefined)
    steps.push({
      kind: 'keep',
      fields: ['keep'],
      // Keeping decides whether an accepted offer outlives its sender's erasure.
      applies: sql`t.box <> 'trash' and t.keep <> ${keep}
        and (${may(actor.role, 'privacy.manage')}::boolean or not ${hasAccepted(sql`t.id`)})`,
      before: sql`jsonb_build_object('keep', t.keep)`,
      after: sql`jsonb_build_object('keep', ${keep}::boolean)`,
    })
  if (snoozedUntil !== undefined)
    steps.push({
      kind: 'snooze',
      fields: ['snoozedUntil'],
      applies: sql`t.box <> 'trash' and t.snoozed_until is distinct from ${snoozedUntil}::timestamptz(3)`,
      before: sql`jsonb_build_object('snoozed_until', t.snoozed_until)`,
      after: sql`jsonb_build_object('snoozed_until', ${snoozedUntil}::timestamptz(3))`,
    })
  if (email !== undefined)
    steps.push({
      kind: 'corrected',
      fields: ['email'],
      applies: sql`t.box <> 'trash' and t.email <> ${email}::text`,
      before: sql`jsonb_build_object('email', t.email, 'search', t.search)`,
      // The address is the second line of what a search looks at, in every kind.
      after: sql`jsonb_build_object('email', ${email}::text, 'search', overlay(
        t.search placing ${email.toLowerCase()}::text
        from length(split_part(t.search, chr(10), 1)) + 2 for length(t.email)
      ))`,
    })
  return steps
}

export const entryRows = (steps: readonly Step[], condition: SQL): SQL =>
  steps.length === 0
    ? sql`select null::uuid as id, null::text as kind, null::text[] as fields, null::jsonb as before,
        null::jsonb as after, null::text as text where false`
    : sql.join(
        steps.map(
          ({ kind, fields, applies, before, after, text }) => sql`
            select t.id, ${kind}::text as kind, ${sql.param(fields)}::text[] as fields, ${before} as before, ${after} as after,
              ${text ?? sql`null`}::text as text
            from target t where ${applies} and ${condition}`,
        ),
        sql` union all `,
      )

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
  'answered_at',
  'due_at',
  'last_message_at',
  'snoozed_until',
  'email',
  'search',
] as const

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
    select t.id, t.version + 1 as version, t.box as was, ${boxColumns} || e.patch as patch,
      ${stateSql(kind, sql.raw('t'))} as state
    from target t join (
      select e.id, jsonb_object_agg(f.key, f.value) as patch
      from entries e, jsonb_each(e.after) as f group by e.id
    ) as e on e.id = t.id
  ),
  updated as (
    update ${kind.table} r
    set (${sql.raw(changeable.join(', '))}) = (select ${restored} from jsonb_populate_record(r, p.patch) as n),
      version = p.version, updated_at = now()
    from planned p where p.id = r.id
    returning r.id, r.box, r.email, r.due_at, p.was, jsonb_exists(p.patch, 'email') as readdressed
  ),
  change as materialized (select uuid_v7() as id),
  logged as (
    ${recordEvent({
      from: sql`entries e join planned p on p.id = e.id cross join change`,
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
    })}
    returning *
  ),
  ${kind.path === 'consultations' ? sql`${talksEnded(actor)},` : sql``}
  ${mailFollows(kind, acknowledgementKeys)}`

/** Nobody talks with the sender of what was thrown away or set apart; the latter hears of it once released. */
const talksEnded = (actor: Actor): SQL =>
  appointmentsEnded(sql`select id from updated where box <> 'inbox' and was = 'inbox'`, {
    actor,
    isHeld: sql`t.who = 'sender' and x.record_id in (select id from updated where box = 'spam')`,
  })

/** The id of the change that `applied` wrote; null when it wrote none. */
export const changeId = sql`(select id from change where exists (select from planned))`

export const outcomeColumns = sql`
  (
    select coalesce(json_agg(json_build_object('id', id, 'box', box, 'version', version)), '[]')
    from target
  ) as found,
  (select coalesce(json_agg(id), '[]') from planned) as changed,
  ${changeId} as event`

/**
 * Applies a patch to records: the check, the change, its events and its mail
 * in one statement. With a `version`, only a record that still has it changes.
 */
export const change = async (
  { db, config }: Core,
  kind: Kind,
  ids: readonly string[],
  patch: RecordPatch,
  { actor, version }: { actor: Actor; version?: number | undefined },
): Promise<Outcome> => {
  const held =
    patch.spam === false ? await heldAcknowledgements(db, config, kind, ids, patch.email) : {}
  const assignee = patch.assignee ?? null
  const mayBe = assignee === null ? sql`true` : sql`exists (select from who)`
  const isCurrent = version === undefined ? sql`true` : sql`t.version = ${version}::bigint`
  return writeRow<Outcome>(
    db,
    sql`
      who as materialized (
        select u.id, u.username from ${users} u
        where lower(u.username) = lower(${assignee}::text)
          and ${roleMay(sql`u.role`, 'records.change')}
        for key share
      ),
      target as materialized (
        select t.* from ${kind.table} t where t.id = any(${sql.param(ids)}::uuid[])
        order by t.id for update
      ),
      entries as materialized (
        ${entryRows(patchSteps(kind, patch, actor), sql`${mayBe} and ${isCurrent}`)}
      ),
      ${applied(kind, actor, held)}`,
    sql`
      select
        ${outcomeColumns},
        ${mayBe} as assignable`,
  )
}
