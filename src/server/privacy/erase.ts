import { type SQL, sql } from 'drizzle-orm'
import { kindPaths } from '#contract/inbox.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { keyedCalls } from '#server/db/schema/keyed-calls.ts'
import { rateLimits } from '#server/db/schema/rate-limits.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { purgeBesides, removeEmlFiles } from './purge.ts'

/** What an erasure takes. */
interface Scope {
  /** CTEs that the conditions below read, or that are to be done in the same statement. */
  ctes: readonly SQL[]
  /** A condition on the records `r` of a kind. */
  records: (kind: Kind) => SQL
  /** A condition on messages `m` besides those of the records. */
  mail: SQL
  /** Keys of the counters that go. */
  limitKeys: readonly string[]
}

/** Removes records with all that belongs to them, in one statement; how much went, by table. */
export const erase = async (
  { db, config }: { db: Database; config: Pick<Config, 'dataDir'> },
  { ctes, records, mail, limitKeys }: Scope,
): Promise<Record<string, number>> => {
  const deletions = kinds.map(
    (kind) =>
      sql`${sql.identifier(`${kind.path}_gone`)} as (
        delete from ${kind.table} where id in (select r.id from ${kind.table} r where ${records(kind)})
        returning id
      )`,
  )
  const gone = kinds.map(
    ({ path }) =>
      sql`select ${sql.raw(`'${path}'`)} as kind, id from ${sql.identifier(`${path}_gone`)}`,
  )
  const counts = kinds.map(
    ({ path }) =>
      sql`(select count(*) from ${sql.identifier(`${path}_gone`)}) as ${sql.identifier(path)}`,
  )
  const [erased] = await rows<Record<string, number> & { messages: string[]; gone: string[] }>(
    db,
    sql`with ${sql.join([...ctes, ...deletions], sql`, `)},
      gone as (${sql.join(gone, sql` union all `)}),
      ${purgeBesides(mail)},
      limits_gone as (
        delete from ${rateLimits} where key = any(${sql.param(limitKeys)}::text[]) returning 1
      )
      select ${sql.join(counts, sql`, `)},
        (select count(*) from events_gone where kind = 'note') as notes,
        (select count(*) from mail_gone) as mail,
        (select count(*) from keys_gone) as "idempotencyKeys",
        (select count(*) from limits_gone) as "rateLimits",
        (select coalesce(json_agg(id), '[]') from mail_gone) as messages,
        (select coalesce(json_agg(id), '[]') from gone) as gone`,
  )
  if (!erased) throw new Error('An erasure answered no row')
  const { messages, gone: ids, ...erasedCounts } = erased
  // A note that was under way has been written by now, and no later one can be: the statement above
  // could not see it, this one does.
  if (ids.length > 0)
    await rows(
      db,
      sql`with calls_gone as (
          delete from ${keyedCalls} where target_id = any(${sql.param(ids)}::uuid[])
        )
        delete from ${events} where kind = 'note'
        and target_kind = any(${sql.param(kindPaths)}::text[]) and target_id = any(${sql.param(ids)}::uuid[])`,
    )
  await removeEmlFiles(config, messages)
  return erasedCounts
}
