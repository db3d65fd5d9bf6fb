import { type SQL, sql } from 'drizzle-orm'
import type { Blindness } from '#contract/inbox.ts'
import type { Hiring } from '#contract/positions.ts'
import { applicationScores } from '#server/db/schema/application-scores.ts'
import { events } from '#server/db/schema/events.ts'
import type { Deps } from '#server/deps.ts'
import { hiring as content } from '#server/hiring.ts'
import { seesContacts } from '#server/http/contacts.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '../kind.ts'

/** Where a position is judged blind, who applied is hidden from those who have not scored the application. */

export interface BlindReader {
  id: string
  blind: Blindness | undefined
  hiring: Hiring
  /** Whether a search looks at addresses and phone numbers. */
  seesContacts: boolean
}

export const blindReader = (
  { actor, query }: { actor: Actor; query: { blind?: Blindness | undefined } },
  { hiring = content }: Deps,
): BlindReader => ({
  id: actor.id,
  // A program never learns who applied.
  blind: actor.token ? '1' : query.blind,
  hiring,
  seesContacts: seesContacts(actor),
})

export const blindPositions = (hiring: Hiring): string[] =>
  Object.entries(hiring).flatMap(([position, { blind }]) => (blind ? [position] : []))

/** The keys of what each position is judged by. */
export const criteriaKeys = (hiring: Hiring): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(hiring).map(([position, { criteria }]) => [
      position,
      criteria.map(({ key }) => key),
    ]),
  )

/**
 * Whether somebody has given the application their whole score, or had its name shown.
 *
 * @param row the alias of the application's table
 * @param userId the id of the account, such as a column's
 */
export const knowsApplicant = (hiring: Hiring, row: SQL, userId: SQL): SQL => sql`(
  exists (
    select from ${applicationScores} s where s.application_id = ${row}.id and s.user_id = ${userId}
      and jsonb_exists_all(s.criteria, array(
        select jsonb_array_elements_text(${JSON.stringify(criteriaKeys(hiring))}::jsonb->${row}.position)
      ))
  )
  or exists (
    select from ${events} e where e.target_kind = 'applications' and e.target_id = ${row}.id
      and e.kind = 'revealed' and e.by_id = ${userId}
  ))`

/**
 * Whether the row's sender is hidden; undefined where none is.
 *
 * @param row the alias of the record's table
 */
export const hiddenFrom = (
  kind: Kind,
  { id, blind, hiring }: BlindReader,
  row: SQL = sql.raw('r'),
): SQL | undefined => {
  if (kind.hidden.length === 0 || blind === undefined) return undefined
  if (blind === '1') return sql`true`
  const positions = blindPositions(hiring)
  if (positions.length === 0) return undefined
  return sql`(${row}.position = any(${sql.param(positions)}::text[])
    and not ${knowsApplicant(hiring, row, sql`${id}::uuid`)})`
}
