import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { logOnRecord } from './log-on-record.ts'

/** Ends a record's links; false where there is no record outside the trash. Logged where one ended. */
export const endLinks = (db: Database, kind: Kind, id: string, actor: Actor): Promise<boolean> =>
  logOnRecord(db, kind, id, {
    by: actor,
    kind: 'link_ended',
    fields: ['link'],
    step: {
      ctes: sql`
        ended as (
          update ${recordLinks} l set ended_at = now() from r
          where l.record_kind = ${kind.path} and l.record_id = r.id and l.ended_at is null
          returning l.id
        )`,
      isLogged: sql`exists (select from ended)`,
    },
  })
