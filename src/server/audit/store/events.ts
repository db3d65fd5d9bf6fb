import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type AuditEntry, details, entry } from '#contract/audit.ts'
import { kindPaths } from '#contract/inbox.ts'
import type { Database } from '#server/db/database.ts'
import { checkedRows } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { events } from '#server/db/schema/events.ts'

const { _id, at, by, byId, via, kind, target, fields } = entry.shape
const row = z.object({
  ...{ _id, at, by, byId, kind, target, fields },
  via: z.nullable(via),
  details: z.nullable(details),
})

export interface AuditFilter {
  kind?: string | undefined
  /** The username of the time or of today. */
  by?: string | undefined
  day?: string | undefined
}

const filtered = ({ kind, by, day }: AuditFilter): SQL => sql`
  ${kind === undefined ? sql`` : sql`and e.kind = ${kind}`}
  ${
    by === undefined
      ? sql``
      : sql`and (e.by = ${by} or e.by_id in (select id from ${users} where username = ${by}))`
  }
  ${
    day === undefined
      ? sql``
      : sql`and e.at >= ${day}::date::timestamp at time zone 'UTC'
          and e.at < (${day}::date + 1)::timestamp at time zone 'UTC'`
  }`

const isOfRecord = sql.raw(`e.target_kind in ('${kindPaths.join("', '")}')`)

/** A column of a record before and after, where the entry changed it. */
const changed = (name: 'status' | 'assignee'): SQL =>
  sql.raw(`case when jsonb_exists(e.after, '${name}')
    then jsonb_build_object('${name}', jsonb_build_array(e.before->'${name}', e.after->'${name}'))
    else '{}' end`)

/**
 * Actions of staff and of the program, newest first, from before an entry on. Submissions and
 * delivery reports are not listed.
 */
export const listEvents = async (
  db: Database,
  filter: AuditFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<AuditEntry[]> => {
  const found = await checkedRows(
    db,
    row,
    sql`select id as "_id", at, by, by_id as "byId", via, kind, fields,
        case when ${isOfRecord} and (jsonb_exists(e.after, 'status') or jsonb_exists(e.after, 'assignee'))
          then coalesce(details, '{}') || jsonb_build_object('changes', ${changed('status')} || ${changed('assignee')})
          else details end as details,
        case when target_kind is not null
          then json_build_object('kind', target_kind, '_id', target_id) end as target
      from ${events} e
      where (by is not null or via is not null or kind = 'sign_in_refused')
        and (${before}::uuid is null or id < ${before}::uuid)
        ${filtered(filter)}
      order by id desc limit ${limit}::int`,
  )
  return found.map(({ via, details, ...entry }) => ({ ...entry, ...(via && { via }), ...details }))
}
