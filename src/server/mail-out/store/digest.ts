import * as z from 'zod/mini'
import { kindPaths, owedGroups } from '#contract/inbox.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { oneCheckedRow, rows, secondsOf } from '#server/db/rows.ts'
import { roleMay, staffSettings, users } from '#server/db/schema/accounts/users.ts'
import { mail } from '#server/db/schema/mail.ts'
import { groupOf, isOwed } from '#server/db/schema/records.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { fieldsJson, foundFields, row, unionOfShownKinds } from '#server/kinds/store/record.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { sealText } from '../sealed-text.ts'

const MOST_NAMED = 5

const digestHour = (hour: number): SQL => sql`make_interval(hours => ${hour}::int)`

/** The UTC day of the digest that is the latest at this moment. */
export const digestDay = (hour: number): SQL =>
  sql`((now() at time zone 'UTC') - ${digestHour(hour)})::date`

/** The time at which that digest was due. */
const digestTime = (hour: number): SQL =>
  sql`((${digestDay(hour)} + ${digestHour(hour)}) at time zone 'UTC')`

/** Settings `s` of those of the staff `u` who want a digest. */
const subscribers: SQL = sql`
  ${staffSettings} s join ${users} u on u.id = s.user_id
    and s.digest = 'daily' and ${roleMay(sql`u.role`, 'records.read')}`

const digestState = z.object({
  /** YYYY-MM-DD, of the latest digest. */
  day: z.string(),
  waiting: z.int(),
})

export const readDigestState = (db: Database, hour: number) =>
  oneCheckedRow(
    db,
    digestState,
    sql`select ${digestDay(hour)} as day,
      (select count(*) from ${subscribers} where s.digest_day < ${digestDay(hour)}) as waiting`,
  )

/** Seconds until somebody's next digest, 0 where one is due; null where nobody wants one. */
export const secondsUntilDigest = (db: Database, hour: number): Promise<number | null> =>
  secondsOf(
    db,
    sql`select min(case when s.digest_day < ${digestDay(hour)} then 0
      else extract(epoch from ${digestTime(hour)} + interval '1 day' - now()) end)::float8 as seconds
      from ${subscribers}`,
  )

const owedRecord = z.object({
  kind: z.enum(kindPaths),
  id: z.string(),
  fields: foundFields,
  dueAt: z.string(),
  assignee: z.nullable(z.string()),
})
export type OwedRecord = z.output<typeof owedRecord>

const digestFacts = z.object({
  /** By group and kind; what there is none of is left out. */
  owed: z.partialRecord(z.enum(owedGroups), z.partialRecord(z.enum(kindPaths), z.int())),
  next: z.array(owedRecord),
  /** Submissions in the 24 hours before the digest was due. */
  came: z.partialRecord(z.enum(kindPaths), z.int()),
  /** The end of the day that it is about. */
  until: z.string(),
  failedMail: z.int(),
})
export type DigestFacts = z.output<typeof digestFacts>

const owedOf = (kind: Kind): SQL => sql`
  select ${kind.path}::text as kind, r.id, r.due_at, ${groupOf(row)} as "group", ${fieldsJson(kind)} as fields,
    (select u.username from ${users} u where u.id = r.assignee_id) as assignee
  from ${kind.table} r where r.box = 'inbox' and ${isOwed(row)}`

export const readDigestFacts = (db: Database, hour: number): Promise<DigestFacts> =>
  oneCheckedRow(
    db,
    digestFacts,
    sql`with
      times as materialized (
        select ${digestTime(hour)} as until
      ),
      owed as materialized (${unionOfShownKinds(owedOf)}),
      came as (${unionOfShownKinds(
        (kind) => sql`select ${kind.path}::text as kind, count(*) as n from ${kind.table} r, times t
          where r.box = 'inbox' and r.created_at >= t.until - interval '1 day' and r.created_at < t.until`,
      )})
      select
        (
          select coalesce(json_object_agg("group", by_kind), '{}') from (
            select "group", json_object_agg(kind, n) as by_kind
            from (select "group", kind, count(*) as n from owed group by 1, 2) as t group by 1
          ) as t
        ) as owed,
        (
          select coalesce(json_agg(next.entry order by next.due_at), '[]') from (
            select o.due_at, ${jsonObject({
              kind: sql`o.kind`,
              id: sql`o.id`,
              fields: sql`o.fields`,
              dueAt: iso(sql`o.due_at`),
              assignee: sql`o.assignee`,
            })} as entry
            from owed o where o."group" in ('late', 'due')
            order by o.due_at limit ${MOST_NAMED}
          ) as next
        ) as next,
        (select coalesce(json_object_agg(kind, n), '{}') from came where n > 0) as came,
        (select ${iso(sql`until`)} from times) as until,
        (select count(*) from ${mail} where status = 'failed') as "failedMail"`,
  )

/**
 * Queues the latest digest for everybody who wants it and has not got it, once for each; without a
 * mail everybody counts as having got it. The bodies name people: they are stored encrypted until they
 * are sent, for a day at most.
 */
export const queueDigest = async (
  db: Database,
  { authSecret, digestHour: hour }: { authSecret: string; digestHour: number },
  digest: Rendered | null,
): Promise<void> => {
  const sealed = digest && sealText(authSecret, digest)
  await rows(
    db,
    sql`with due as (
        update ${staffSettings} set digest_day = ${digestDay(hour)}
        where digest = 'daily' and digest_day < ${digestDay(hour)} returning user_id
      )
      insert into ${mail} (kind, recipient, subject, text, html, sealed, expires_at, status)
      select 'digest', u.email, ${digest?.subject ?? ''}, '', '', ${sealed}::text,
        now() + interval '1 day', 'waiting'
      from due join ${users} u on u.id = due.user_id
      where ${digest !== null} and ${roleMay(sql`u.role`, 'records.read')}`,
  )
}
