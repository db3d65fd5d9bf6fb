import type { Config } from '#server/config.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { keyedHash } from '#server/secrets/keys.ts'
import { rows, secondsOf, valuesOf } from './rows.ts'
import { rateLimits } from './schema/calls.ts'

/** At most `max` hits in any window of `windowSeconds`, for one key. */
export interface Limit {
  key: string
  max: number
  windowSeconds: number
  /** Told where it is full, before the time of the next try; absent for attempts. */
  sentence?: string
}

/** Subjects of limits are stored as keyed hashes: no address can be read out of the table. */
export const limitKey = (secret: string, what: string, subject: string): string =>
  `${what}:${keyedHash(secret, `rate-limit:${what}:${subject}`)}`

export const perHour = (max: number) => ({ max, windowSeconds: 3_600 })

export const perDay = (max: number) => ({ max, windowSeconds: 24 * 3_600 })

export const limitFor = (
  { authSecret }: Pick<Config, 'authSecret'>,
  what: string,
  subject: string,
  rule: Omit<Limit, 'key'>,
): Limit => ({ key: limitKey(authSecret, what, subject), ...rule })

export const windowOf = ({ windowSeconds }: Pick<Limit, 'windowSeconds'>): SQL =>
  sql`make_interval(secs => ${windowSeconds}::int)`

/** The moments of the row `r` that still count. */
export const hitsWithin = (window: SQL): SQL =>
  sql`array(select h from unnest(r.hits) as h where h > now() - ${window})`

const limitRows = (limits: readonly Limit[]): SQL =>
  sql.join(
    limits.map(({ key, max }) => sql`(${key}::text, ${max}::int)`),
    sql`, `,
  )

/** The moments of the row `r` that still count, by the window of its key. */
const hitsOf = (limits: readonly Limit[]): SQL =>
  hitsWithin(
    sql`case r.key ${sql.join(
      limits.map((limit) => sql`when ${limit.key}::text then ${windowOf(limit)}`),
      sql` `,
    )} end`,
  )

/** A limit that counts nothing which `inner` does not let through. */
interface OuterLimit extends Limit {
  inner?: Limit
}

/** Counts against each limit that is not full; the keys of those. An inner limit stands among them. */
export const countWhereFree = async (db: Database, limits: readonly OuterLimit[]) => {
  const values = limits.map(
    ({ key, max, inner }) => sql`(${key}::text, ${max}::int, ${inner?.key ?? null}::text)`,
  )
  const countedWhere = (condition: SQL): SQL => sql`
    insert into ${rateLimits} as r (key, hits, max)
    select l.key, array[now()], l.max from l where ${condition} order by l.key
    on conflict (key) do update set
      hits = ${hitsOf(limits)} || excluded.hits, max = excluded.max, updated_at = now()
      where cardinality(${hitsOf(limits)}) < excluded.max
    returning key`
  const counted = await valuesOf<string>(
    db,
    sql`with
      l (key, max, inner_key) as (values ${sql.join(values, sql`, `)}),
      inner_ones as (${countedWhere(sql`l.inner_key is null`)}),
      outer_ones as (${countedWhere(sql`l.inner_key in (select key from inner_ones)`)})
      select key from inner_ones union all select key from outer_ones`,
  )
  return new Set(counted)
}

/**
 * Counts an attempt against every limit, as part of a larger statement. The rows are locked in the
 * order of their keys, and where one limit is full its check fails the statement as a whole
 * (see {@link isLimitReached}): nothing was counted then, so that trying on does not prolong the wait.
 *
 * @param counts whether the attempt is to be counted at all
 * @param at the moment that is counted; it stops counting a window later
 * @param times how many attempts it is
 */
export const countAttempt = (
  limits: readonly Limit[],
  counts: SQL = sql`true`,
  at: SQL = sql`now()`,
  times: SQL = sql`1`,
): SQL => sql`
  insert into ${rateLimits} as r (key, hits, max)
  select l.key, array_fill((${at})::timestamptz(3), array[(${times})::int]), l.max
  from (values ${limitRows(limits)}) as l (key, max)
  where ${counts}
  order by l.key
  on conflict (key) do update set
    hits = ${hitsOf(limits)} || excluded.hits,
    max = excluded.max,
    updated_at = now()
  returning 1`

export const countHits = (db: Database, limits: readonly Limit[]): Promise<unknown> =>
  rows(db, countAttempt(limits))

/** The moments of the row `r` without one of those at `moment`. */
const hitsWithout = (moment: string): SQL => sql`
  select h from unnest(r.hits) with ordinality as u (h, n)
  where n is distinct from array_position(r.hits, ${moment}::timestamptz(3))`

const keysOf = (limits: readonly Limit[]): SQL =>
  sql`any(${sql.param(limits.map(({ key }) => key))}::text[])`

/** Takes back the attempt that was counted at `moment`, as part of a larger statement. */
export const giveBack = (limits: readonly Limit[], moment: string): SQL => sql`
  update ${rateLimits} as r set hits = array(${hitsWithout(moment)})
  from (
    select key from ${rateLimits} where key = ${keysOf(limits)} order by key for update
  ) as locked
  where r.key = locked.key`

/**
 * Counts the attempt of `moment` as of now instead, as part of a larger statement. Never fails: where
 * the attempt counted no longer and others came meanwhile, the latest are kept.
 */
export const recount = (limits: readonly Limit[], moment: string): SQL => sql`
  insert into ${rateLimits} as r (key, hits, max)
  select l.key, array[now()], l.max
  from (values ${limitRows(limits)}) as l (key, max)
  order by l.key
  on conflict (key) do update set
    hits = array(
      (${hitsWithout(moment)} union all select now()) order by h desc limit excluded.max
    ),
    updated_at = now()`

export const forgetAttempts = (limits: readonly Limit[]): SQL => sql`
  delete from ${rateLimits} where key = ${keysOf(limits)}`

export const isLimitReached = (error: unknown): boolean => {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown }
  return code === '23514' && constraint === 'rate_limits_within'
}

/** Seconds until the last of the full limits lets so many attempts through; at least 1. */
export const secondsUntilFree = async (db: Database, limits: readonly Limit[], times = 1) => {
  const waits = limits.map(
    (limit) => sql`
      select h + ${windowOf(limit)} - now() as wait from (
        select h from ${rateLimits} as r, unnest(r.hits) as h where r.key = ${limit.key}
        order by h desc offset ${Math.max(0, limit.max - times)}::int limit 1
      ) as oldest`,
  )
  const seconds = await secondsOf(
    db,
    sql`select ceil(extract(epoch from max(wait)))::float8 as seconds
      from (${sql.join(waits, sql` union all `)}) as waits`,
  )
  return Math.max(1, seconds ?? 1)
}
