import { limits } from '#contract/limits.ts'
import type { SourceRow } from '#contract/visits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { oneRow, rows, valuesOf } from '#server/db/rows.ts'
import { visitCounts } from '#server/db/schema/counts.ts'
import { siteSettings } from '#server/db/schema/settings.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { firstAnswer, periodStart } from '#server/kinds/store/groups.ts'
import { recordOrigin, unionOfShownKinds } from '#server/kinds/store/record.ts'
import type { Counted } from './counts.ts'

/** Under so many visits a source of a day is not told by name. */
const PRIVATE_DAY = 5

const PROMISE = sql.raw(`interval '${limits.promiseHours} hours'`)

/** Under so many visits there is no rate. */
const RATED = 20

export const sourcesOf = (db: Database, day: string) =>
  valuesOf<string>(db, sql`select distinct source from ${visitCounts} where day = ${day}::date`)

export const pagesCounted = (db: Database) =>
  valuesOf<string>(db, sql`select distinct page from ${visitCounts} where day > current_date - 30`)

/** Adds counts to those that are stored; none while visits are switched off. */
export const addCounts = (db: Database, counts: readonly Counted[]): Promise<unknown> =>
  rows(
    db,
    sql`insert into ${visitCounts} as v (day, page, source, wide, visits, begun)
      select c.day, c.page, c.source, c.wide, c.visits, c.begun
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb)
        as c(day date, page text, source text, wide boolean, visits int, begun int)
      where not exists (select from ${siteSettings} where not visits)
      on conflict (day, page, source, wide) do update
        set visits = v.visits + excluded.visits, begun = v.begun + excluded.begun`,
  )

const submitted = (kind: Kind): SQL => sql`
  select ${recordOrigin} as source, coalesce(r.source->>'landingPage', 'other') as page,
    a.at is not null as answered,
    ${kind.promisedIn !== null}::boolean and coalesce(a.at <= r.created_at + ${PROMISE}, false) as in_time,
    r.status in ('completed', 'accepted') as accepted
  from ${kind.table} r, lateral (select ${firstAnswer(kind)} as at) as a
  where r.box = 'inbox' and r.created_at >= (select since from span)`

const side = (key: SQL, visits: SQL): SQL => sql`(
  select coalesce(json_agg(json_build_object(
    'key', key, 'visits', visits, 'begun', begun, 'sent', sent, 'answered', answered, 'inTime', in_time,
    'accepted', accepted,
    'rate', case when visits >= ${RATED}::int then round(sent::numeric / visits, 4)::float8 end
  ) order by visits desc, sent desc, key), '[]')
  from (
    select key, sum(visits)::int as visits, sum(begun)::int as begun, sum(sent)::int as sent,
      sum(answered)::int as answered, sum(in_time)::int as in_time, sum(accepted)::int as accepted
    from (
      select key, visits, begun, 0 as sent, 0 as answered, 0 as in_time, 0 as accepted from (${visits}) as v
      union all
      select ${key}, 0, 0, 1, answered::int, in_time::int, accepted::int from submitted
    ) as sides group by key
  ) as t
)`

type Row = Omit<SourceRow, 'source'> & { key: string }

/** `days` counts back from today, which is among them. */
export const readSources = async (db: Database, days: number) => {
  const { sources, pages } = await oneRow<{ sources: Row[]; pages: Row[] }>(
    db,
    sql`with
      span as materialized (
        select ${periodStart(days)} as since
      ),
      submitted as materialized (${unionOfShownKinds(submitted)}),
      counted as materialized (
        select day, page, source, visits, begun from ${visitCounts}
        where day >= ((select since from span) at time zone 'UTC')::date
      )
      select
        ${side(
          sql`source`,
          sql`select case when sum(visits) < ${PRIVATE_DAY}::int then 'other' else source end as key,
            sum(visits) as visits, sum(begun) as begun from counted group by day, source`,
        )} as sources,
        ${side(
          // A page that nobody has been counted on may be anything that was sent.
          sql`case when page in (select page from ${visitCounts}) then page else 'other' end`,
          sql`select page as key, visits, begun from counted`,
        )} as pages`,
  )
  return {
    sources: sources.map(({ key, ...figures }) => ({ source: key, ...figures })),
    pages: pages.map(({ key, ...figures }) => ({ page: key, ...figures })),
  }
}
