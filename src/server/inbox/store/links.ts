import { sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

/** Ends a record's links; false where there is no record outside the trash. Logged where one ended. */
export const endLinks = async (
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
      ended as (
        update ${recordLinks} l set ended_at = now() from r
        where l.record_kind = ${kind.path} and l.record_id = r.id and l.ended_at is null
        returning l.id
      ),
      logged as (
        ${recordEvent(
          {
            by: actor,
            kind: 'link_ended',
            targetKind: kind.path,
            targetId: sql`r.id`,
            fields: ['link'],
            version: sql`r.version`,
          },
          sql`r where exists (select from ended)`,
        )}
      )`,
    sql`select id from r`,
  )
  return found !== undefined
}
