import * as inbox from '#contract/inbox.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { recordCounts } from '#server/db/schema/counts.ts'
import { events } from '#server/db/schema/events.ts'
import { isOwed } from '#server/db/schema/records.ts'
import type { Kind } from '../kind.ts'
import { isMessage, isRecalled } from './activity.ts'
import { row } from './record.ts'

const today = sql.raw(`date_trunc('day', now(), 'UTC')`)
const todayDate = sql.raw(`(now() at time zone 'UTC')::date`)

const unsnoozed = sql.raw(
  `case when r.due_at is null then 'open' when r.due_at < now() then 'late' else 'due' end`,
)

/**
 * Rows `(status, "group", n)`, off the stored counts. Of what is due today and of what is snoozed the
 * rows themselves are counted: those change their group as time passes.
 *
 * @param stored conditions on the stored counts: the box, and the assignee if one is asked for
 * @param live the same conditions on the row `r`
 */
export const storedGroups = (kind: Kind, { stored, live }: { stored: SQL; live: SQL }): SQL => sql`
  select status, case
      when owed_day = '-infinity' then 'waiting'
      when owed_day = 'infinity' then 'done'
      when owed_day = '9999-12-31' then 'open'
      when owed_day < ${todayDate} then 'late'
      else 'due'
    end as "group", sum(n) as n
  from ${recordCounts} where kind = ${kind.path} and ${stored} and owed_day <> ${todayDate}
  group by 1, 2
  union all
  select r.status, ${unsnoozed}, count(*) from ${kind.table} r
  where ${live} and ${isOwed(row)} and r.due_at >= ${today} and r.due_at < ${today} + interval '1 day'
  group by 1, 2
  union all
  select r.status, moved."group", sum(moved.n) from ${kind.table} r,
    lateral (values ('snoozed', 1), (${unsnoozed}, -1)) as moved ("group", n)
  where ${live} and ${isOwed(row)} and r.snoozed_until > now()
  group by 1, 2`

export const withZeroGroups = (
  counts: Partial<Record<inbox.Group, number>> = {},
): inbox.GroupCounts =>
  Object.fromEntries(inbox.groups.map((group) => [group, counts[group] ?? 0])) as inbox.GroupCounts

/** The first moment of a period of whole UTC days, today among them. */
export const periodStart = (days: number): SQL =>
  sql`(${today} - make_interval(days => ${days - 1}::int))`

/** The first moment of a period, and the one after its last. */
export interface Period {
  since: SQL
  before?: SQL | undefined
}

export const answerConditions = ({ since, before }: Period): Record<inbox.AnswerName, SQL> => {
  const until = before ? sql`r.due_at < ${before} and r.due_at <= now()` : sql`r.due_at <= now()`
  const fellDue = sql`r.due_at >= ${since} and ${until}`
  return {
    due: sql`${fellDue} and (r.answered_at is not null or (${isOwed(row)}))`,
    inTime: sql`${fellDue} and r.answered_at <= r.due_at`,
    late: sql`${fellDue} and r.answered_at > r.due_at`,
    open: sql`${fellDue} and r.answered_at is null and ${isOwed(row)}`,
  }
}

/** True if the change of `r` that event `e` records was undone, and not redone by another undo. */
export const isUndone = (path: inbox.KindPath): SQL => sql`exists (
  select from ${events} u
  where u.target_kind = ${path} and u.target_id = r.id and u.kind = 'undo'
    and u.version > e.version and u.before->>'state' = e.after->>'state'
    and not exists (
      select from ${events} a
      where a.target_kind = ${path} and a.target_id = r.id and a.kind = 'undo'
        and a.version > u.version and a.after->>'state' = e.after->>'state'
    )
)`

/**
 * The time of the first message to the sender of `r` or change of its status; null before. A record that
 * is set back to the first status is owed again.
 */
export const firstAnswer = ({ path, statuses }: Kind): SQL => sql`(
  case when r.acted_at is not null or r.last_message_at is not null then (
    select min(e.at) from ${events} e
    where e.target_kind = ${path} and e.target_id = r.id
      and (${isMessage} or (e.kind = 'status' and r.status <> ${statuses[0]}))
      and not ${isRecalled} and not ${isUndone(path)}
  ) end
)`
