import { limits } from '#contract/limits.ts'
import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { anyRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { recordWriters } from '#server/db/schema/record-staff.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

const span = sql.raw(`interval '${limits.writingSeconds} seconds'`)

/** The usernames of those who are writing an answer to the record `r`. */
export const writing = sql<string[]>`(
  select coalesce(json_agg(u.username order by lower(u.username)), '[]')
  from ${recordWriters} w join ${users} u on u.id = w.user_id
  where w.record_id = r.id and w.at > now() - ${span}
)`

/**
 * Says that somebody is writing an answer; false where there is no record outside the trash, or the
 * account is gone. Both rows are locked, so that neither goes meanwhile.
 */
export const sayWriting = (
  db: Database,
  kind: Kind,
  id: string,
  { id: userId }: Pick<Actor, 'id'>,
): Promise<boolean> =>
  anyRow(
    db,
    sql`with old as (
        delete from ${recordWriters} where at < now() - ${span} and record_id <> ${id}::uuid
      )
      insert into ${recordWriters} (record_id, user_id)
      select r.id, u.id from ${kind.table} r join ${users} u on u.id = ${userId}::uuid
      where r.id = ${id}::uuid and r.box <> 'trash' for key share
      on conflict (record_id, user_id) do update set at = now()
      returning 1`,
  )
