import * as z from 'zod/mini'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { jsonObject } from '#server/db/json.ts'
import { oneCheckedRow } from '#server/db/rows.ts'
import { accountLinks } from '#server/db/schema/accounts/factors.ts'
import { keyedCalls, rateLimits } from '#server/db/schema/calls.ts'
import { events } from '#server/db/schema/events.ts'
import { applicationScores } from '#server/db/schema/record-staff.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { isMessage } from '#server/kinds/store/activity.ts'
import { correctionsEmptied, isReplyFrom, purgeBesides, repliesGone } from './purge.ts'
import { searchesEmptied, templatesNaming } from './searches.ts'

export interface Scope {
  kinds: readonly Kind[]
  /** CTEs that the conditions below read, or that are to be done in the same statement. */
  ctes: readonly SQL[]
  /** CTEs that follow `gone (kind, id, keep)`, the records that were deleted. */
  after?: readonly SQL[]
  /** A condition on the records `r` of a kind. */
  records: SQL
  /** A condition on messages `m` besides those of the records. */
  mail?: SQL
  /** A condition on open invitations `l`: no account has their address yet. */
  invitations?: SQL
  /**
   * True if an address is one of those whose traces on records of others go: an event `e` holds it.
   */
  isAddress?: (address: SQL) => SQL
  /** Addresses whose views are emptied, besides those of the records: a query of `address`. */
  addresses?: SQL
  /** A condition on a deleted record, by its columns: its accepted offers stay. */
  keepsAccepted?: SQL
  limitKeys?: readonly string[]
}

const deletedRow = z.object({
  /** The number of deleted rows, by table. */
  counts: z.record(z.string(), z.int()),
  messages: z.array(z.string()),
  /** Names of templates that name the scope's `addresses`, and stay. */
  templates: z.array(z.string()),
})

/**
 * Deletes records with all that belongs to them, in one statement. What was being written about them
 * meanwhile, which the statement cannot see, is deleted at its end by the trigger `purge_late`.
 */
export const deleteRecords = (
  db: Database,
  {
    kinds,
    ctes,
    after = [],
    records,
    mail = sql`false`,
    invitations = sql`false`,
    isAddress = () => sql`false`,
    addresses = sql`select null::text as address where false`,
    limitKeys = [],
    keepsAccepted = sql`false`,
  }: Scope,
): Promise<z.output<typeof deletedRow>> => {
  const goneOf = ({ path }: Kind): SQL => sql`${sql.identifier(`${path}_gone`)}`
  const deletions = kinds.map(
    (kind) =>
      sql`${goneOf(kind)} as (
        delete from ${kind.table} where id in (select r.id from ${kind.table} r where ${records})
        returning id, (${keepsAccepted}) as keep, lower(name) as name, lower(email) as address
      )`,
  )
  const people = kinds.map((kind) => sql`select name, address from ${goneOf(kind)}`)
  const gone = kinds.map(
    (kind) => sql`select ${sql.raw(`'${kind.path}'`)} as kind, id, keep from ${goneOf(kind)}`,
  )
  const count = (table: SQL): SQL => sql`(select count(*) from ${table})`
  const counts = jsonObject({
    ...Object.fromEntries(kinds.map((kind) => [kind.path, count(goneOf(kind))])),
    notes: count(sql`events_gone where kind = 'note'`),
    // Deleting the application deletes them; the statement still sees them.
    scores: count(sql`${applicationScores} where application_id in (select id from gone)`),
    messages: count(sql`events_stripped e where ${isMessage}`),
    replies: sql`${count(sql`events_gone where kind in ('reply', 'auto')`)} + ${count(sql`replies_gone`)}`,
    mail: count(sql`mail_gone`),
    invitations: count(sql`invitations_gone`),
    appointments: count(sql`appointments_gone`),
    offers: count(sql`offers_gone`),
    idempotencyKeys: count(sql`keys_gone`),
    rateLimits: count(sql`limits_gone`),
    views: count(sql`views_emptied`),
  })
  return oneCheckedRow(
    db,
    deletedRow,
    sql`with ${sql.join([...ctes, ...deletions], sql`, `)},
      ${sql.join([sql`gone as (${sql.join(gone, sql` union all `)})`, ...after], sql`, `)},
      ${repliesGone(isReplyFrom(isAddress))},
      ${correctionsEmptied(isAddress)},
      people as materialized (
        select * from (${sql.join(people, sql` union `)}) as theirs
        union select lower(e.before->>'name'), null from ${events} e join gone g
          on e.target_kind = g.kind and e.target_id = g.id
          where e.kind = 'corrected' and e.before->>'name' <> ''
        union select null, address from (${addresses}) as addresses
      ),
      ${searchesEmptied},
      ${purgeBesides(mail)},
      invitations_gone as (
        delete from ${accountLinks} l where l.kind = 'invitation' and ${invitations} returning 1
      ),
      answers_gone as (
        delete from ${keyedCalls} k using (${addresses}) as a
        where position(a.address in lower(k.outcome::text || coalesce(k.answer, ''))) > 0
      ),
      limits_gone as (
        delete from ${rateLimits} where key = any(${sql.param(limitKeys)}::text[]) returning 1
      )
      select ${counts} as counts,
        (select coalesce(json_agg(id), '[]') from mail_gone) as messages,
        ${templatesNaming(addresses, sql`t.name`)} as templates`,
  )
}
