import { type SQL, sql } from 'drizzle-orm'
import { type AnswerName, type Group, type GroupCounts, groups } from '#contract/inbox.ts'
import { recordCounts } from '#server/db/schema/counts.ts'
import { isOwed } from '#server/db/schema/records.ts'
import type { Kind } from '../kind.ts'
import { row } from '../store.ts'

const today = sql.raw(`date_trunc('day', now(), 'UTC')`)
const todayDate = sql.raw(`(now() at time zone 'UTC')::date`)

/** The group of `r` by its due time alone. */
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

export const withZeroGroups = (counts: Partial<Record<Group, number>> = {}): GroupCounts =>
  Object.fromEntries(groups.map((group) => [group, counts[group] ?? 0])) as GroupCounts

/** The first moment of a period of whole UTC days, today among them. */
export const periodStart = (days: number): SQL =>
  sql`(${today} - make_interval(days => ${days - 1}::int))`

/** Conditions for the outcome of the row `r`, of those that fell due since a moment. */
export const answerConditions = (since: SQL): Record<AnswerName, SQL> => {
  const fellDue = sql`r.due_at >= ${since} and r.due_at <= now()`
  return {
    due: sql`${fellDue} and (r.answered_at is not null or (${isOwed(row)}))`,
    inTime: sql`${fellDue} and r.answered_at <= r.due_at`,
    late: sql`${fellDue} and r.answered_at > r.due_at`,
    open: sql`${fellDue} and r.answered_at is null and ${isOwed(row)}`,
  }
}
