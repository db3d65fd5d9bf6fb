import { type SQL, sql } from '#server/db/drizzle.ts'
import { type NewEvent, recordEventOf } from './record-event.ts'

/**
 * `details` of an event about an account: username and role as [from, to], where they differ.
 *
 * @param from the alias of the row as it was; left out for a new account
 * @param to the alias of the row as it is; left out for a deleted one
 */
export const accountDetails = ({ from, to }: { from?: string; to?: string }): SQL => {
  const value = (alias: string | undefined, column: string) =>
    alias === undefined ? 'null::text' : `${alias}.${column}`
  const pair = (column: string) =>
    `case when ${value(from, column)} is distinct from ${value(to, column)}
      then jsonb_build_array(${value(from, column)}, ${value(to, column)}) end`
  return sql.raw(
    `jsonb_build_object('changes', jsonb_strip_nulls(
      jsonb_build_object('username', ${pair('username')}, 'role', ${pair('role')})
    ))`,
  )
}

/** Logs a new account: the row of the CTE `alias`. */
export const accountCreated = (actor: Partial<Pick<NewEvent, 'by' | 'via'>>, alias = 'created') =>
  recordEventOf(alias, {
    ...actor,
    kind: 'user.create',
    targetKind: 'users',
    fields: ['username', 'email', 'role', 'password'],
    details: accountDetails({ to: alias }),
  })
