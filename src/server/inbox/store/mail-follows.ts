import type { Config } from '#server/config.ts'
import { and, type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { hitsWithin, windowOf } from '#server/db/rate-limit.ts'
import { run } from '#server/db/rows.ts'
import { rateLimits } from '#server/db/schema/calls.ts'
import { mail } from '#server/db/schema/mail.ts'
import { recordCodes, recordLinks } from '#server/db/schema/record-links.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { acknowledgementLimit, acknowledgements } from '#server/mail-out/limit.ts'
import { withoutPastHour } from '#server/mail-out/store/promise.ts'

/**
 * The rate-limit keys of the acknowledgements that a release of these records would send, by message id.
 *
 * @param corrected the address that the same change gives the records
 */
export const heldAcknowledgements = async (
  db: Database,
  config: Config,
  kind: Kind,
  ids: readonly string[],
  corrected?: string,
): Promise<Record<string, string>> => {
  const held = await run(
    db
      .select({ id: mail.id, recipient: mail.recipient })
      .from(mail)
      .where(
        and(
          eq(mail.recordKind, kind.path),
          sql`${mail.recordId} = any(${sql.param(ids)}::uuid[])`,
          eq(mail.kind, 'acknowledgement'),
          eq(mail.status, 'held'),
        ),
      ),
  )
  return Object.fromEntries(
    held.map(({ id, recipient }) => [id, acknowledgementLimit(config, corrected ?? recipient).key]),
  )
}

const recent = hitsWithin(windowOf(acknowledgements))

/** For mail `m` of the row `x`, whose box and maybe address have changed. */
const recipient = sql`case
  when x.readdressed and m.kind in ('acknowledgement', 'message') then x.email else m.recipient
end`

/**
 * Mail follows its record's box. What has not gone out is held while the record is spam; a released
 * record's mail waits for sending, acknowledgements only within their limit for each recipient. A corrected
 * address gets the mail that has not gone out, and ends the links and the code that were mailed to the old one.
 * Steps of a statement, after one called `updated`.
 */
export const mailFollows = (
  kind: Kind,
  acknowledgementKeys: Readonly<Record<string, string>>,
): SQL => {
  const max = sql`${acknowledgements.max}::int`
  return sql`
    held_back as (
      update ${mail} m set status = 'held', recipient = ${recipient} from updated x
      where x.box = 'spam' and x.was <> 'spam' and m.status = 'waiting'
        -- A host gets the invitation before its cancellation, which is not held.
        and coalesce(m.calendar->>'what' <> 'reminder' and m.calendar->>'to' <> 'host', true)
        and m.record_kind = ${kind.path} and m.record_id = x.id
    ),
    readdressed as (
      update ${mail} m set recipient = x.email from updated x
      where x.readdressed and m.record_kind = ${kind.path} and m.record_id = x.id
        and m.kind in ('acknowledgement', 'message')
        -- A row changes once in a statement: with the box, what waits or is held changes above and below.
        and (m.status = 'failed' or (m.status in ('waiting', 'held') and x.box = x.was))
    ),
    links_ended as (
      update ${recordLinks} l set ended_at = now() from updated x
      where x.readdressed and l.record_kind = ${kind.path} and l.record_id = x.id and l.ended_at is null
    ),
    codes_ended as (
      delete from ${recordCodes} c using updated x where x.readdressed and c.record_id = x.id
    ),
    freed as (
      select m.id, m.record_id, m.kind, ${recipient} as recipient, k.value as key, row_number() over (partition by k.value order by m.id) as nth
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
      update ${mail} m set status = 'waiting', recipient = f.recipient, next_attempt_at = now(),
        text = ${withoutPastHour('text')}, html = ${withoutPastHour('html')}
      from freed f join updated x on x.id = f.record_id
      where m.id = f.id and (
        f.kind <> 'acknowledgement' or f.nth <= (
          select count(*) from allowance a, unnest(a.hits) as h
          where a.key = f.key and h = now()::timestamptz(3)
        )
      )
    )`
}
