import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { oneValue } from '#server/db/rows.ts'
import { views } from '#server/db/schema/settings.ts'
import { invalidField } from '#server/http/http-error.ts'
import type { Kind } from '#server/kinds/kind.ts'

/**
 * An entry that the content has no more selects what it did, as long as a record or a saved view names it.
 *
 * @throws HttpError `invalid` for one that nothing knows
 */
export const refuseUnknownChoice = async (
  db: Database,
  { choice, table, path }: Kind,
  parameters: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const asked = choice && parameters[choice.field]
  if (!choice || asked === undefined || choice.ids().includes(String(asked))) return
  const isKnown = await oneValue<boolean>(
    db,
    sql`select exists (select from ${table} r where ${sql.identifier(choice.field)} = ${asked})
      or exists (select from ${views} where kind = ${path} and filter->>${choice.field} = ${asked})`,
  )
  if (!isKnown) throw invalidField(choice.field, `Unknown ${choice.field}.`)
}

/** The last name of a choice that the content has no more, as its newest record gives it; else null. */
export const lastName = ({ choice, table }: Kind, id: SQL): SQL => {
  if (!choice) return sql`null`
  return sql`case when ${id} <> all(${sql.param(choice.ids())}::text[]) then (
    select ${sql.identifier(`${choice.field}_label`)} from ${table} r
    where r.${sql.identifier(choice.field)} = ${id} order by r.created_at desc limit 1
  ) end`
}
