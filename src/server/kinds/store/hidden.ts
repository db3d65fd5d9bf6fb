import type { Blindness } from '#contract/inbox.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { events } from '#server/db/schema/events.ts'
import { applicationScores } from '#server/db/schema/record-staff.ts'
import { seesContacts } from '#server/http/contacts.ts'
import type { Actor } from '#server/http/route.ts'
import { hiring, judging } from '#site/content.ts'
import { type Fields, fieldText, type Kind } from '../kind.ts'

/** Blind judging hides applicants from those who have not scored the application. */

export const blindReader = ({
  actor,
  query,
}: {
  actor: Actor
  query: { blind?: Blindness | undefined }
}) => ({
  id: actor.id,
  // A program never learns who applied.
  blind: actor.token ? '1' : query.blind,
  /** True if a search looks at addresses and phone numbers. */
  seesContacts: seesContacts(actor),
})
export type BlindReader = ReturnType<typeof blindReader>

/** True if the row's position is judged blind; undefined where none is. */
const isJudgedBlind = (row: SQL): SQL | undefined => {
  const own = hiring()
  const { blind } = judging('other')
  // A position without an entry is judged as `other`.
  const others = Object.keys(own).filter((position) => own[position]?.blind !== blind)
  if (others.length === 0) return blind ? sql`true` : undefined
  const isOther = sql`${row}.position = any(${sql.param(others)}::text[])`
  return blind ? sql`not (${isOther})` : isOther
}

export const isBlindRecord = (kind: Kind, fields: Fields): boolean =>
  kind.hidden.length > 0 && judging(fieldText(fields.position)).blind

/** The keys of what a position is judged by, as an array in SQL. */
export const criteriaOf = (position: SQL): SQL => {
  const keys = Object.fromEntries(
    Object.entries(hiring()).map(([name, { criteria }]) => [name, criteria.map(({ key }) => key)]),
  )
  return sql`array(
    select jsonb_array_elements_text(coalesce(own.keys->${position}, own.keys->'other'))
    from (select ${JSON.stringify(keys)}::jsonb as keys) as own
  )`
}

/** True if somebody has given the application their whole score, or had its name shown. */
const knowsApplicant = (row: SQL, userId: SQL): SQL => sql`(
  exists (
    select from ${applicationScores} s where s.application_id = ${row}.id and s.user_id = ${userId}
      and jsonb_exists_all(s.criteria, ${criteriaOf(sql`${row}.position`)})
  )
  or exists (
    select from ${events} e where e.target_kind = 'applications' and e.target_id = ${row}.id
      and e.kind = 'revealed' and e.by_id = ${userId}
  ))`

/**
 * True if the staff account `email` knows the sender of the record `id`: gave a whole score, or had
 * the name shown.
 */
export const knowsSender = (kind: Kind, id: SQL, email: SQL): SQL => sql`exists (
  select from ${users} a join ${kind.table} x on x.id = ${id}
  where lower(a.email) = lower(${email}) and ${knowsApplicant(sql.raw('x'), sql`a.id`)}
)`

/** True if the row's sender is hidden; undefined where none is. */
export const hiddenFrom = (kind: Kind, { id, blind }: BlindReader, row: SQL = sql.raw('r')) => {
  if (kind.hidden.length === 0 || blind === undefined) return undefined
  if (blind === '1') return sql`true`
  const isBlind = isJudgedBlind(row)
  if (!isBlind) return undefined
  return sql`(${isBlind} and not ${knowsApplicant(row, sql`${id}::uuid`)})`
}
