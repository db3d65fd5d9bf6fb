import type { Draft } from '#contract/inbox.ts'
import type { Database } from '#server/db/database.ts'
import { type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { agentDrafts } from '#server/db/schema/agent-drafts.ts'
import { drafts } from '#server/db/schema/record-staff.ts'
import { write, writeOne } from '#server/db/write.ts'
import type { Actor, ActorToken } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

/** The draft `d` of the user `u`. */
const draftJson = jsonObject({
  text: sql`d.text`,
  subject: sql`d.subject`,
  at: iso(sql`d.at`),
  by: sql`u.username`,
})

/** The answer to the record `r` that somebody has begun. */
export const draftOf = (userId: string): SQL<Draft | null> => sql`(
  select ${draftJson} from ${drafts} d join ${users} u on u.id = d.user_id
  where d.record_id = r.id and d.user_id = ${userId}::uuid
)`

/** True if somebody has begun to answer the record `r`, or an agent has drafted an answer. */
export const hasDraft = (userId: string): SQL => sql`(
  exists (select from ${drafts} d where d.record_id = r.id and d.user_id = ${userId}::uuid)
  or exists (select from ${agentDrafts} a where a.record_id = r.id)
)`

/** Records of a kind and box that somebody has begun to answer, or that an agent has drafted an answer for. */
export const countDrafts = ({ path, table }: Kind, box: string, userId: string): SQL => sql`(
  select count(*) from (
    select record_id from ${drafts} where user_id = ${userId}::uuid and record_kind = ${path}
    union select record_id from ${agentDrafts} where record_kind = ${path}
  ) as d join ${table} r on r.id = d.record_id where r.box = ${box}
)`

/**
 * Keeps a draft in place of an earlier one. Undefined where there is no record outside the trash, or the
 * account is gone; both rows are locked, so that neither goes meanwhile.
 */
export const keepDraft = async (
  db: Database,
  kind: Kind,
  id: string,
  { text, subject }: { text: string; subject: string | undefined },
  { id: userId }: Pick<Actor, 'id'>,
): Promise<Draft | undefined> => {
  const kept = await writeOne<{ draft: Draft }>(
    db,
    sql`d as (
        insert into ${drafts} (record_id, user_id, record_kind, text, subject)
        select r.id, u.id, ${kind.path}, ${text}, ${subject ?? null}::text
        from ${kind.table} r join ${users} u on u.id = ${userId}::uuid
        where r.id = ${id}::uuid and r.box <> 'trash' for key share
        on conflict (record_id, user_id) do update
          set text = excluded.text, subject = excluded.subject, at = now()
        returning *
      )`,
    sql`select ${draftJson} as draft from d join ${users} u on u.id = d.user_id`,
  )
  return kept?.draft
}

export const dropDraft = (db: Database, id: string, { id: userId }: Pick<Actor, 'id'>) =>
  write(
    db,
    sql`d as (delete from ${drafts} where record_id = ${id}::uuid and user_id = ${userId}::uuid returning *)`,
    sql`select record_id from d`,
  )

/** Keeps what a program drafted in place of what its token did before. Undefined where there is no such record. */
export const keepAgentDraft = async (
  db: Database,
  kind: Kind,
  id: string,
  text: string,
  { username, token }: { username: string; token: ActorToken },
): Promise<Draft | undefined> => {
  const kept = await writeOne<{ draft: Draft }>(
    db,
    sql`d as (
        insert into ${agentDrafts} (record_kind, record_id, token_id, token, by, text)
        select ${kind.path}, r.id, ${token.id}::uuid, ${token.name}, ${username}, ${text}
        from ${kind.table} r where r.id = ${id}::uuid and r.box <> 'trash' for key share
        on conflict (record_id, token_id) do update
          set text = excluded.text, token = excluded.token, by = excluded.by, at = now()
        returning *
      )`,
    sql`select ${jsonObject({
      text: sql`d.text`,
      subject: sql`null::text`,
      at: iso(sql`d.at`),
      by: sql`d.by`,
    })} as draft from d`,
  )
  return kept?.draft
}

/** Drops what a token drafted. */
export const dropAgentDraft = (db: Database, id: string, token: ActorToken): Promise<unknown> =>
  write(
    db,
    sql`d as (
        delete from ${agentDrafts}
        where record_id = ${id}::uuid and token_id = ${token.id}::uuid returning *
      )`,
    sql`select record_id from d`,
  )
