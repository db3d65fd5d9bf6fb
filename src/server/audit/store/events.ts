import * as z from 'zod/mini'
import { type AuditEntry, details, entry, type listAudit } from '#contract/audit.ts'
import type { QueryOf } from '#contract/http/endpoint.ts'
import { kindPaths } from '#contract/inbox.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { checkedRows, run } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { consultations } from '#server/db/schema/consultations.ts'
import { contacts } from '#server/db/schema/contacts.ts'
import { events } from '#server/db/schema/events.ts'
import { unionOfKinds } from '#server/kinds/store/record.ts'

const { _id, at, by, byId, via, kind, target, fields } = entry.shape
const row = z.object({
  ...{ _id, at, by, byId, kind, target, fields },
  via: z.nullable(via),
  details: z.nullable(details),
})

/** `by` is the username of the time or of today. */
type AuditFilter = Omit<QueryOf<typeof listAudit>, 'cursor'>

const filtered = ({ kind, by, day }: AuditFilter): SQL => sql`
  ${kind === undefined ? sql`` : sql`and e.kind = ${kind}`}
  ${
    by === undefined
      ? sql``
      : sql`and (lower(e.by) = lower(${by})
          or e.by_id in (select id from ${users} where lower(username) = lower(${by})))`
  }
  ${
    day === undefined
      ? sql``
      : sql`and e.at >= ${day}::date::timestamp at time zone 'UTC'
          and e.at < (${day}::date + 1)::timestamp at time zone 'UTC'`
  }`

const isOfRecord = sql.raw(`e.target_kind in ('${kindPaths.join("', '")}')`)

const changed = (name: string, column = name): SQL =>
  sql.raw(`case when jsonb_exists(e.after, '${column}')
    then jsonb_build_object('${name}', jsonb_build_array(e.before->'${column}', e.after->'${column}'))
    else '{}' end`)

/** The kind of the target; an agent's call names the record alone. */
const targetKind = sql`case when e.target_kind = 'agents'
  then coalesce((${unionOfKinds(
    ({ path, table }) =>
      sql`select ${sql.raw(`'${path}'`)} from ${table} r where r.id = e.target_id`,
  )}), 'agents')
  else e.target_kind end`

// The log outlives a person's data, so it holds no name. Applicants stay without one: staff score them unseen.
const nameNow = sql`case when e.kind <> 'erasure_asked' then coalesce(
  (select r.name from ${consultations} r where t.kind = 'consultations' and r.id = e.target_id),
  (select r.name from ${contacts} r where t.kind = 'contacts' and r.id = e.target_id)
) end`

/** The accounts whose sign-in was refused, by the hash that the log has of their address. */
export const accountsByHash = async (db: Database, hashOf: (email: string) => string) => {
  const found = await run(db.select({ id: users.id, email: users.email }).from(users))
  return new Map(found.map(({ id, email }) => [hashOf(email), id]))
}

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
    sql`select e.id as "_id", at, by, by_id as "byId", via, e.kind, fields,
        case when ${isOfRecord} and jsonb_exists_any(e.after, '{status,assignee,snoozed_until}')
          then coalesce(details, '{}') || jsonb_build_object('changes',
            ${changed('status')} || ${changed('assignee')} || ${changed('snoozedUntil', 'snoozed_until')})
          else details end as details,
        case when t.kind in ('consultations', 'contacts') and target_id is not null
          then json_build_object('kind', t.kind, '_id', target_id, 'name', ${nameNow})
          when t.kind is not null
          then json_build_object('kind', t.kind, '_id', target_id) end as target
      from ${events} e, lateral (select ${targetKind} as kind) as t
      where (by is not null or via is not null or e.kind = 'sign_in_refused')
        and (${before}::uuid is null or e.id < ${before}::uuid)
        ${filtered(filter)}
      order by e.id desc limit ${limit}::int`,
  )
  return found.map(({ via, details, ...entry }) => ({ ...entry, ...(via && { via }), ...details }))
}
