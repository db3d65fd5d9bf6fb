import * as z from 'zod/mini'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { checkedRows } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { recordReads } from '#server/db/schema/record-staff.ts'
import type { Kind } from '#server/kinds/kind.ts'

/**
 * Notes that somebody has a record open, and answers when staff first had; undefined where there is no
 * record outside the trash. It is no change of the record: its version stays, and nothing is logged.
 */
export const markSeen = async (db: Database, kind: Kind, id: string, userId: string) => {
  const [seen] = await checkedRows(
    db,
    z.object({ at: z.string() }),
    sql`with
      r as (
        update ${kind.table} set seen_at = coalesce(seen_at, now())
        where id = ${id}::uuid and box <> 'trash' returning id, seen_at
      ),
      noted as (
        insert into ${recordReads} (user_id, record_id, record_kind)
        select u.id, r.id, ${kind.path} from r, ${users} u where u.id = ${userId}::uuid
        on conflict (user_id, record_id) do update set at = now()
      )
      select seen_at as at from r`,
  )
  return seen?.at
}
