import {
  type AnswerName,
  answerNames,
  type Group,
  type KindPath,
  kindPaths,
} from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import type { AnswerDivision, AnswerRow, Answers, Stats } from '#contract/stats.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { oneRow, oneValue } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { recordCounts } from '#server/db/schema/counts.ts'
import { events } from '#server/db/schema/events.ts'
import { mail } from '#server/db/schema/mail.ts'
import { groupConditions } from '#server/db/schema/records.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds, shownKinds } from '#server/kinds/kinds.ts'
import { isRecalled } from '#server/kinds/store/activity.ts'
import { lastName } from '#server/kinds/store/choice.ts'
import {
  answerConditions,
  firstAnswer,
  type Period,
  periodStart,
  storedGroups,
  withZeroGroups,
} from '#server/kinds/store/groups.ts'
import { isSentSince, offerState, shownOffers } from '#server/kinds/store/offers.ts'
import { recordOrigin, row, unionOfShownKinds } from '#server/kinds/store/record.ts'
import { positionIds, serviceIds } from '#site/content.ts'
import { type Unanswered, unansweredJson, withOpening } from './unanswered.ts'

type Counts = Record<string, number>

interface Found {
  days: ({ day: string } & Partial<Record<KindPath, number>>)[]
  byStatus: Partial<Record<KindPath, Counts>>
  byService: Counts
  byPosition: Counts
  bySource: Counts
  medianHoursToFirstAnswer: number | null
  offers: Stats['offers']
  times: Stats['times']
  groups: Partial<Record<KindPath, Partial<Record<Group, number>>>> | null
  answers: Partial<Record<KindPath, Counted>>
  dueSoon: Partial<Record<KindPath, number>>
  nextBack: string | null
  nextDue: string | null
  mail: Counts
  unanswered: Unanswered[]
}

const utcDay = (instant: SQL): SQL => sql`to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD')`

/** Arrivals of the inbox since the first day, folded by everything that a figure asks for. */
const arrivals = () =>
  unionOfShownKinds(
    ({ path, table, choice }) => sql`
      select ${sql.raw(`'${path}'`)} as kind, ${utcDay(sql`created_at`)} as day,
        ${choice ? sql.identifier(choice.field) : sql`null`} as topic, ${recordOrigin} as origin, count(*) as n
      from ${table} r
      where box = 'inbox' and created_at >= (select since from span)
      group by 1, 2, 3, 4`,
  )

const countsBy = (key: SQL, where: SQL): SQL => sql`(
  select coalesce(json_object_agg(key, n), '{}')
  from (select ${key} as key, sum(n) as n from arrivals where ${where} group by 1) as t
)`

/** Hours to the first answer, null before it, for each submission of a kind with a promised time. */
const firstAnswers = sql.join(
  kinds
    .filter(({ promisedIn }) => promisedIn !== null)
    .map(
      (kind) => sql`
    select extract(epoch from ${firstAnswer(kind)} - r.created_at) / 3600 as hours
    from ${kind.table} r where r.box = 'inbox' and r.created_at >= (select since from span)`,
    ),
  sql` union all `,
)

const soonSpan = sql.raw(`interval '${limits.dueSoonHours} hours'`)

const { due, snoozed } = groupConditions(row)

/** Figures of owed answers that the stored counts do not have. */
const promised = () =>
  unionOfShownKinds(
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
        from sent_offers a, jsonb_to_recordset(a.lines) as l (amount bigint, per text)
        where a.state = 'accepted' group by a.currency
      ) as v
    )
  )
  from sent_offers o
)`

/** Consultations that were offered times in the period. */
const timesJson = sql`(
  select json_build_object(
    'offered', count(*), 'booked', count(booked_at),
    'medianHoursToBooking', round((percentile_cont(0.5) within group (
      order by extract(epoch from booked_at - at)::float8 / 3600
    ))::numeric, 2)::float8
  )
  from (
    select min(e.at) as at, (
      select min(b.at) from ${events} b
      where b.target_kind = 'consultations' and b.target_id = r.id and b.kind = 'booked' and b.at > min(e.at)
    ) as booked_at
    from ${events} e join ${consultations} r on r.id = e.target_id and r.box = 'inbox'
    where e.kind = 'times' and e.at >= (select since from span) and not ${isRecalled}
    group by r.id
  ) as t
)`

const groupsByKind = () =>
  unionOfShownKinds(
    (kind) => sql`
      select ${sql.raw(`'${kind.path}'`)} as kind, "group", sum(n) as n
      from (${storedGroups(kind, { stored: sql`box = 'inbox'`, live: sql`r.box = 'inbox'` })}) as g
      group by 1, 2`,
  )

type Counted = Omit<Answers, 'share'> & Pick<AnswerRow, 'label'>

/** The division's part to which the row `r` belongs; undefined where the kind has none. */
const partOf = (by: AnswerDivision, { path, choice }: Kind): SQL | undefined => {
  if (by === 'kind') return sql.raw(`'${path}'`)
  if (by === 'month') return sql`to_char(r.due_at at time zone 'UTC', 'YYYY-MM')`
  if (by === 'person')
    return sql`coalesce((select u.username from ${users} u where u.id = r.assignee_id), 'none')`
  return by === choice?.field ? sql`r.${sql.identifier(by)}` : undefined
}

const answersJson = (by: AnswerDivision, period: Period): SQL => {
  const conditions = answerConditions(period)
  const counted = answerNames.map(
    (name) => sql`count(*) filter (where ${conditions[name]}) as ${sql.identifier(name)}`,
  )
  const sums = answerNames.map((name) => [name, sql`sum(${sql.identifier(name)})`] as const)
  const parts = shownKinds().flatMap((kind) => {
    const part = partOf(by, kind)
    return part
      ? [
          sql`select ${part} as part, ${sql.join(counted, sql`, `)}
            from ${kind.table} r where r.box = 'inbox' and ${conditions.due} group by 1`,
        ]
      : []
  })
  if (parts.length === 0) return sql`'{}'::json`
  const divided = kinds.find(({ choice }) => choice?.field === by)
  return sql`(
    select coalesce(json_object_agg(part, counts), '{}') from (
      select part, json_strip_nulls(${jsonObject({
        ...Object.fromEntries(sums),
        label: divided ? lastName(divided, sql`part`) : sql`null`,
      })}) as counts
      from (${sql.join(parts, sql` union all `)}) as c group by part
    ) as t
  )`
}

const statement = (days: number): SQL => sql`with
  span as materialized (
    select ${periodStart(days)} as since
  ),
  arrivals as materialized (${arrivals()}),
  by_day as (
    select day, json_object_agg(kind, n) as counts
    from (select day, kind, sum(n) as n from arrivals group by 1, 2) as t group by day
  ),
  first_answers as (${firstAnswers}),
  promised as (${promised()}),
  sent_offers as (
    select o.* from ${shownOffers} and ${isSentSince(sql.raw('(select since from span)'))}
  )
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
          select kind, status, sum(n) as n from ${recordCounts}
          where box = 'inbox' and kind = any(${sql.param(shownKinds().map(({ path }) => path))}::text[])
          group by kind, status
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
        select kind, json_object_agg("group", n) as counts from (${groupsByKind()}) as t group by kind
      ) as t
    ) as groups,
    ${answersJson('kind', { since: sql.raw('(select since from span)') })} as answers,
    (select json_object_agg(kind, soon) from promised) as "dueSoon",
    (select ${iso(sql`min(next_back)`)} from promised) as "nextBack",
    (select ${iso(sql`min(next_due)`)} from promised) as "nextDue",
    ${offersJson} as offers,
    ${timesJson} as times,
    (
      select coalesce(json_object_agg(status, n), '{}')
      from (
        select status, count(*) as n from ${mail} where status in ('waiting', 'failed') group by status
      ) as m
    ) as mail,
    ${unansweredJson()} as unanswered`

const withZeros = (keys: readonly string[], counts: Counts = {}): Counts => ({
  ...Object.fromEntries(keys.map((key) => [key, 0])),
  ...counts,
})

const none: Counted = { due: 0, inTime: 0, late: 0, open: 0 }

const withShare = (counts: Counted): Answers => ({
  ...counts,
  share: counts.due < 5 ? null : counts.inTime / counts.due,
})

const totalOf = (parts: readonly (Counted | undefined)[]): Answers =>
  withShare(
    Object.fromEntries(
      answerNames.map((name) => [name, parts.reduce((sum, part) => sum + (part?.[name] ?? 0), 0)]),
    ) as Record<AnswerName, number>,
  )

/** All figures in one round trip. `days` counts back from today, which is among them. */
export const readStats = async (db: Database, days: number): Promise<Omit<Stats, 'warnings'>> => {
  const found = await oneRow<Found>(db, statement(days))
  const { medianHoursToFirstAnswer: median, answers } = found
  const byKind = <Value>(value: (kind: KindPath) => Value) =>
    Object.fromEntries(kinds.map(({ path }) => [path, value(path)])) as Record<KindPath, Value>
  const total = (value: (kind: KindPath) => number): number =>
    kinds.reduce((sum, { path }) => sum + value(path), 0)
  const groups = byKind((kind) => withZeroGroups(found.groups?.[kind]))
  const dueSoon = byKind((kind) => found.dueSoon[kind] ?? 0)
  return {
    days: found.days.map(({ day, ...arrivals }) => ({
      day,
      ...byKind((kind) => arrivals[kind] ?? 0),
    })),
    byStatus: Object.fromEntries(
      kinds.map(({ path, statuses }) => [path, withZeros(statuses, found.byStatus[path])]),
    ) as Stats['byStatus'],
    byService: withZeros(serviceIds(), found.byService),
    byPosition: withZeros(positionIds(), found.byPosition),
    bySource: found.bySource,
    medianHoursToFirstAnswer: median === null ? null : Math.round(median * 100) / 100,
    groups,
    answers: totalOf(Object.values(answers)),
    answersByKind: byKind((kind) => withShare(answers[kind] ?? none)),
    nextBack: found.nextBack,
    nextDue: found.nextDue,
    offers: found.offers,
    times: found.times,
    dueSoon: total((kind) => dueSoon[kind]),
    overdue: total((kind) => groups[kind].late),
    owed: byKind((kind) => ({ dueSoon: dueSoon[kind], overdue: groups[kind].late })),
    mail: { waiting: found.mail.waiting ?? 0, failed: found.mail.failed ?? 0 },
    unanswered: found.unanswered.map((one) => withOpening(one, new Date())),
  }
}

/** The parts that stand in the table also where nothing fell due, in their order. */
const knownParts = (by: AnswerDivision, from: string, to: string): readonly string[] => {
  if (by === 'kind') return kindPaths
  if (by === 'service') return serviceIds()
  if (by === 'position') return positionIds()
  if (by === 'person') return []
  const [first, last] = [from, to].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1,
  )
  return Array.from({ length: (last ?? 0) - (first ?? 0) + 1 }, (_, n) => {
    const month = (first ?? 0) + n
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}

/** Answers that fell due from one UTC day to another, both included. */
export const readAnswers = async (
  db: Database,
  { by, from, to }: { by: AnswerDivision; from: string; to: string },
): Promise<{ parts: AnswerRow[]; total: Answers }> => {
  const period = {
    since: sql`(${from}::date::timestamp at time zone 'UTC')`,
    before: sql`((${to}::date + 1)::timestamp at time zone 'UTC')`,
  }
  const answers =
    (await oneValue<Record<string, Counted>>(db, sql`select ${answersJson(by, period)}`)) ?? {}
  const others = Object.keys(answers).sort(
    (a, b) => (answers[b]?.due ?? 0) - (answers[a]?.due ?? 0),
  )
  const keys = [...new Set([...knownParts(by, from, to), ...others])]
  return {
    parts: keys.map((key) => ({ key, ...withShare(answers[key] ?? none) })),
    total: totalOf(Object.values(answers)),
  }
}
