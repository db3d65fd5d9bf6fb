import { sql } from 'drizzle-orm'
import type { AuditEntry } from '#contract/audit.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'

/** What staff did, newest first, from before an entry on; submissions and the system's work have no `by`. */
export const listEvents = (
  db: Database,
  before: string | null,
  limit: number,
): Promise<AuditEntry[]> =>
  rows(
    db,
    sql`select id as "_id", at, by, kind, fields,
        case when target_kind is not null
          then json_build_object('kind', target_kind, '_id', target_id) end as target
      from ${events}
      where by is not null and (${before}::uuid is null or id < ${before}::uuid)
      order by id desc limit ${limit}::int`,
  )
