import type { ActivityKind } from '#contract/inbox.ts'
import type { Database } from '#server/db/database.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

interface Done {
  by: Actor
  kind: ActivityKind
  fields: readonly string[]
  /** CTEs that do it to the record `r`, and the condition on them under which it is logged. */
  step?: { ctes: SQL; isLogged: SQL }
}

/**
 * Logs what somebody did about a record whose version stays; false where there is none outside the trash.
 * The record is locked, so that nothing is logged on one that is being erased.
 */
export const logOnRecord = async (
  db: Database,
  kind: Kind,
  id: string,
  { step, ...done }: Done,
): Promise<boolean> => {
  const event = recordEvent({
    from: step ? sql`r where ${step.isLogged}` : sql`r`,
    ...done,
    targetKind: kind.path,
    targetId: sql`r.id`,
    version: sql`r.version`,
  })
  return writesAny(
    db,
    sql`
      r as materialized (
        select id, version from ${kind.table} where id = ${id}::uuid and box <> 'trash' for key share
      ),
      ${step ? sql`${step.ctes},` : sql``}
      logged as (${event})`,
    sql`select id from r`,
  )
}
