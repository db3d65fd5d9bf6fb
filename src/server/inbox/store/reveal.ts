import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

/** Logs that somebody had it shown whose record it is; false where there is none outside the trash. */
export const logReveal = async (
  db: Database,
  kind: Kind,
  id: string,
  actor: Actor,
): Promise<boolean> => {
  const [found] = await write<{ id: string }>(
    db,
    sql`
      r as materialized (
        select id, version from ${kind.table} where id = ${id}::uuid and box <> 'trash' for key share
      ),
      logged as (
        ${recordEvent(
          {
            by: actor,
            kind: 'revealed',
            targetKind: kind.path,
            targetId: sql`r.id`,
            fields: kind.hidden,
            version: sql`r.version`,
          },
          sql`r`,
        )}
      )`,
    sql`select id from r`,
  )
  return found !== undefined
}
