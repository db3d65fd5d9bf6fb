import type { KindPath } from '#contract/inbox.ts'
import { unreadCounts } from '#contract/unread.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { oneCheckedRow, oneValue } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { recordReads, unreadSince } from '#server/db/schema/record-staff.ts'
import { writeOne } from '#server/db/write.ts'
import type { Kind } from '#server/kinds/kind.ts'
import { kinds, shownKinds } from '#server/kinds/kinds.ts'

/** True if a reader has the row `r` still to read. Only the inbox counts. */
export const isUnread = ({ path }: Kind, userId: string): SQL => sql`(
  r.box = 'inbox'
  and r.heard_at > coalesce(
    (select s.at from ${unreadSince} s where s.user_id = ${userId}::uuid and s.kind = ${path}),
    (select u.created_at - interval '30 days' from ${users} u where u.id = ${userId}::uuid)
  )
  and not exists (
    select from ${recordReads} d
    where d.user_id = ${userId}::uuid and d.record_id = r.id and d.at >= r.heard_at
  )
)`

type Counts = Record<KindPath, number>

const counts = (userId: string, except?: KindPath): SQL =>
  sql.join(
    kinds.map((kind) =>
      kind.path === except || !shownKinds().includes(kind)
        ? sql`0 as ${sql.identifier(kind.path)}`
        : sql`(select count(*) from ${kind.table} r where ${isUnread(kind, userId)}) as ${sql.identifier(kind.path)}`,
    ),
    sql`, `,
  )

export const countUnread = (db: Database, userId: string): Promise<Counts> =>
  oneCheckedRow(db, unreadCounts, sql`select ${counts(userId)}`)

/** Marks all of a kind as read; what is left of the others. Undefined where the account is gone. */
export const readAll = (db: Database, kind: KindPath, userId: string) =>
  writeOne<Counts>(
    db,
    sql`
      since as (
        insert into ${unreadSince} (user_id, kind)
        select u.id, ${kind}::text from ${users} u where u.id = ${userId}::uuid for key share
        on conflict (user_id, kind) do update set at = now()
        returning 1
      ),
      forgotten as (
        delete from ${recordReads} where user_id = ${userId}::uuid and record_kind = ${kind}
      )`,
    sql`select ${counts(userId, kind)} from since`,
  )

/**
 * Notes that somebody has a record open, and answers when staff first had; undefined where there is no
 * record outside the trash. It is no change of the record: its version stays, and nothing is logged.
 */
export const markSeen = (db: Database, kind: Kind, id: string, userId: string) =>
  oneValue<string>(
    db,
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
      select seen_at from r`,
  )
