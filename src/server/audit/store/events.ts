import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type AuditEntry, details, entry } from '#contract/audit.ts'
import type { Database } from '#server/db/database.ts'
import { checkedRows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'

const { _id, at, by, byId, via, kind, target, fields } = entry.shape
const row = z.object({
  ...{ _id, at, by, byId, kind, target, fields },
  via: z.nullable(via),
  details: z.nullable(details),
})

/**
 * What staff did, and what the program did by itself, newest first, from before an entry on.
 * Submissions and delivery reports are not listed.
 */
export const listEvents = async (
  db: Database,
  before: string | null,
  limit: number,
): Promise<AuditEntry[]> => {
  const found = await checkedRows(
    db,
    row,
    sql`select id as "_id", at, by, by_id as "byId", via, kind, fields, details,
        case when target_kind is not null
          then json_build_object('kind', target_kind, '_id', target_id) end as target
      from ${events}
      where (by is not null or via is not null or kind = 'sign_in_refused')
        and (${before}::uuid is null or id < ${before}::uuid)
      order by id desc limit ${limit}::int`,
  )
  return found.map(({ via, details, ...entry }) => ({ ...entry, ...(via && { via }), ...details }))
}
