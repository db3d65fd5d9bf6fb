import { type SQL, sql } from 'drizzle-orm'
import { answerNames, type Group, type KindPath } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { Answers, Stats } from '#contract/stats.ts'
import type { Database } from '#server/db/database.ts'
import { iso } from '#server/db/json.ts'
import { rows } from '#server/db/rows.ts'
import { recordCounts } from '#server/db/schema/counts.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { offers } from '#server/db/schema/offers.ts'
import { groupConditions } from '#server/db/schema/records.ts'
import { kinds } from '#server/kinds/kinds.ts'
import {
  answerConditions,
  periodStart,
  storedGroups,
  withZeroGroups,
} from '#server/kinds/store/groups.ts'
import { offerState } from '#server/kinds/store/offers.ts'
import { unionOfKinds } from '#server/kinds/store/union.ts'
import { isMessage, recordOrigin, row } from '#server/kinds/store.ts'
import { positionIds, serviceIds } from '#site/content.ts'
import { type Unanswered, unansweredJson, withOpening } from './store/unanswered.ts'

type Counts = Record<string, number>

interface Found {
  days: ({ day: string } & Partial<Record<KindPath, number>>)[]
  byStatus: Partial<Record<KindPath, Counts>>
  byService: Counts
  byPosition: Counts
  bySource: Counts
  medianHoursToFirstAnswer: number | null
  offers: Stats['offers']
  groups: Partial<Record<KindPath, Partial<Record<Group, number>>>> | null
  answers: Record<KindPath, Omit<Answers, 'share'>>
  dueSoon: Record<KindPath, number>
  nextBack: string | null
  nextDue: string | null
  mail: Counts
  unanswered: Unanswered[]
}

const utcDay = (instant: SQL): SQL => sql`to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD')`

const topic: Record<KindPath, SQL> = {
  consultations: sql`service`,
  applications: sql`position`,
  contacts: sql`null`,
}

/** Arrivals of the inbox since the first day, folded by everything that a figure asks for. */
const arrivals = unionOfKinds(
  ({ path, table }) => sql`
      select ${sql.raw(`'${path}'`)} as kind, ${utcDay(sql`created_at`)} as day,
        ${topic[path]} as topic, ${recordOrigin} as origin, count(*) as n
      from ${table} r
      where box = 'inbox' and created_at >= (select since from span)
      group by 1, 2, 3, 4`,
)

const countsBy = (key: SQL, where: SQL): SQL => sql`(
  select coalesce(json_object_agg(key, n), '{}')
  from (select ${key} as key, sum(n) as n from arrivals where ${where} group by 1) as t
)`

/** True if the change of `r` that event `e` records was undone, and not redone by another undo. */
const isUndone = (path: KindPath): SQL => sql`exists (
  select from ${events} u
  where u.target_kind = ${path} and u.target_id = r.id and u.kind = 'undo'
    and u.version > e.version and u.before->>'state' = e.after->>'state'
    and not exists (
      select from ${events} a
      where a.target_kind = ${path} and a.target_id = r.id and a.kind = 'undo'
        and a.version > u.version and a.after->>'state' = e.after->>'state'
    )
)`

/** Hours to the first answer, null before it, for each submission of a kind with a promised time. */
const firstAnswers = sql.join(
  kinds.flatMap(({ promisedIn, path, table }) =>
    promisedIn === null
      ? []
      : [
          sql`
    select case when r.acted_at is not null or r.last_message_at is not null then (
        select extract(epoch from min(e.at) - r.created_at) / 3600
        from ${events} e
        where e.target_kind = ${path} and e.target_id = r.id and (e.kind = 'status' or ${isMessage})
          and not exists (select from ${mail} m where m.event_id = e.id and m.status = 'recalled')
          and not ${isUndone(path)}
      ) end as hours
    from ${table} r
    where r.box = 'inbox' and r.created_at >= (select since from span)`,
        ],
  ),
  sql` union all `,
)

const soonSpan = sql.raw(`interval '${limits.dueSoonHours} hours'`)

const { due, snoozed } = groupConditions(row)

/** Figures of owed answers that the stored counts do not have. */
const promised = unionOfKinds(
  ({ path, table }) => sql`
      select ${sql.raw(`'${path}'`)} as kind,
        count(*) filter (where ${due} and r.due_at < now() + ${soonSpan}) as soon,
        min(r.due_at) filter (where ${due}) as next_due,
        min(r.snoozed_until) filter (where ${snoozed}) as next_back
      from ${table} r where r.box = 'inbox' and ((${due}) or (${snoozed}))`,
)

/** Offers that were sent in the period; one that was replaced or taken back is none. */
const offersJson = sql`(
  select json_build_object(
    'sent', count(*), 'accepted', count(*) filter (where o.state = 'accepted'),
    'declined', count(*) filter (where o.state = 'declined'),
    'expired', count(*) filter (where ${offerState} = 'expired'),
    'value', (
      select coalesce(json_agg(v order by v.currency), '[]') from (
        select a.currency, coalesce(sum(l.amount) filter (where l.per = 'once'), 0)::bigint as once,
          coalesce(sum(l.amount) filter (where l.per = 'month'), 0)::bigint as month
        from ${offers} a, jsonb_to_recordset(a.lines) as l (amount bigint, per text)
        where a.state = 'accepted' and a.sent_at >= (select since from span) group by a.currency
      ) as v
    )
  )
  from ${offers} o
  where o.sent_at >= (select since from span) and o.state not in ('draft', 'recalled', 'replaced')
)`

const groupsByKind = unionOfKinds(
  (kind) => sql`
      select ${sql.raw(`'${kind.path}'`)} as kind, "group", sum(n) as n
      from (${storedGroups(kind, { stored: sql`box = 'inbox'`, live: sql`r.box = 'inbox'` })}) as g
      group by 1, 2`,
)

const answersByKind = unionOfKinds(({ path, table }) => {
  const conditions = answerConditions(sql.raw('(select since from span)'))
  const counted = answerNames.map(
    (name) => sql`${sql.raw(`'${name}'`)}, count(*) filter (where ${conditions[name]})`,
  )
  return sql`
      select ${sql.raw(`'${path}'`)} as kind, json_build_object(${sql.join(counted, sql`, `)}) as counts
      from ${table} r where r.box = 'inbox' and ${conditions.due}`
})

const statement = (days: number): SQL => sql`with
  span as materialized (
    select ${periodStart(days)} as since
  ),
  arrivals as materialized (${arrivals}),
  by_day as (
    select day, json_object_agg(kind, n) as counts
    from (select day, kind, sum(n) as n from arrivals group by 1, 2) as t group by day
  ),
  first_answers as (${firstAnswers}),
  promised as (${promised})
  select
    (
      select json_agg(
        jsonb_build_object('day', d.day) || coalesce(b.counts::jsonb, '{}') order by d.day
      )
      from (
        select ${utcDay(sql`since + make_interval(days => i)`)} as day
        from span, generate_series(0, ${days - 1}::int) as i
      ) as d left join by_day b on b.day = d.day
    ) as days,
    (
      select coalesce(json_object_agg(kind, counts), '{}')
      from (
        select kind, json_object_agg(status, n) as counts
        from (
          select kind, status, sum(n) as n from ${recordCounts} where box = 'inbox' group by kind, status
        ) as t group by kind
      ) as k
    ) as "byStatus",
    ${countsBy(sql`topic`, sql`kind = 'consultations'`)} as "byService",
    ${countsBy(sql`topic`, sql`kind = 'applications'`)} as "byPosition",
    ${countsBy(sql`origin`, sql`true`)} as "bySource",
    (
      select percentile_cont(0.5) within group (order by hours::float8) from first_answers
    ) as "medianHoursToFirstAnswer",
    (
      select json_object_agg(kind, counts) from (
        select kind, json_object_agg("group", n) as counts from (${groupsByKind}) as t group by kind
      ) as t
    ) as groups,
    (select json_object_agg(kind, counts) from (${answersByKind}) as t) as answers,
    (select json_object_agg(kind, soon) from promised) as "dueSoon",
    (select ${iso(sql`min(next_back)`)} from promised) as "nextBack",
    (select ${iso(sql`min(next_due)`)} from promised) as "nextDue",
    ${offersJson} as offers,
    (
      select coalesce(json_object_agg(status, n), '{}')
      from (
        select status, count(*) as n from ${mail} where status = 'failed'
          or (status = 'waiting' and calendar->>'what' is distinct from 'reminder')
        group by status
      ) as m
    ) as mail,
    ${unansweredJson} as unanswered`

const withZeros = (keys: readonly string[], counts: Counts = {}): Counts => ({
  ...Object.fromEntries(keys.map((key) => [key, 0])),
  ...counts,
})

const withShare = (counts: Omit<Answers, 'share'>): Answers => ({
  ...counts,
  share: counts.due < 5 ? null : counts.inTime / counts.due,
})

/** All figures in one round trip. `days` counts back from today, which is among them. */
export const readStats = async (db: Database, days: number): Promise<Omit<Stats, 'warnings'>> => {
  const [found] = await rows<Found>(db, statement(days))
  if (!found) throw new Error('The figures answered no row')
  const { medianHoursToFirstAnswer: median, answers, dueSoon } = found
  const byKind = <Value>(value: (kind: KindPath) => Value) =>
    Object.fromEntries(kinds.map(({ path }) => [path, value(path)])) as Record<KindPath, Value>
  const total = (value: (kind: KindPath) => number): number =>
    kinds.reduce((sum, { path }) => sum + value(path), 0)
  const groups = byKind((kind) => withZeroGroups(found.groups?.[kind]))
  return {
    days: found.days.map(({ day, consultations = 0, applications = 0, contacts = 0 }) => ({
      day,
      consultations,
      applications,
      contacts,
    })),
    byStatus: Object.fromEntries(
      kinds.map(({ path, statuses }) => [path, withZeros(statuses, found.byStatus[path])]),
    ) as Stats['byStatus'],
    byService: withZeros(serviceIds(), found.byService),
    byPosition: withZeros(positionIds(), found.byPosition),
    bySource: found.bySource,
    medianHoursToFirstAnswer: median === null ? null : Math.round(median * 100) / 100,
    groups,
    answers: withShare({
      due: total((kind) => answers[kind].due),
      inTime: total((kind) => answers[kind].inTime),
      late: total((kind) => answers[kind].late),
      open: total((kind) => answers[kind].open),
    }),
    answersByKind: byKind((kind) => withShare(answers[kind])),
    nextBack: found.nextBack,
    nextDue: found.nextDue,
    offers: found.offers,
    dueSoon: total((kind) => dueSoon[kind]),
    overdue: total((kind) => groups[kind].late),
    owed: byKind((kind) => ({ dueSoon: dueSoon[kind], overdue: groups[kind].late })),
    mail: { waiting: found.mail.waiting ?? 0, failed: found.mail.failed ?? 0 },
    unanswered: found.unanswered.map((one) => withOpening(one, new Date())),
  }
}
