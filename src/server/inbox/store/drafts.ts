import type { Draft } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { iso, jsonObject } from '#server/db/json.ts'
import { anyRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { agentDrafts } from '#server/db/schema/agent-drafts.ts'
import { drafts, recordWriters } from '#server/db/schema/record-staff.ts'
import { write, writeValue } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Kind } from '#server/kinds/kind.ts'

const draftJson = ({ subject, by }: { subject: SQL; by: SQL }): SQL =>
  jsonObject({ text: sql`d.text`, subject, at: iso(sql`d.at`), by })

const ofUser = draftJson({ subject: sql`d.subject`, by: sql`u.username` })

/** The answer to the record `r` that somebody has begun. */
export const draftOf = (userId: string): SQL<Draft | null> => sql`(
  select ${ofUser} from ${drafts} d join ${users} u on u.id = d.user_id
  where d.record_id = r.id and d.user_id = ${userId}::uuid
)`

/** True if somebody has begun to answer the record `r`, or an agent has drafted an answer. */
export const hasDraft = (userId: string): SQL => sql`(
  exists (select from ${drafts} d where d.record_id = r.id and d.user_id = ${userId}::uuid)
  or exists (select from ${agentDrafts} a where a.record_id = r.id)
)`

export const countDrafts = ({ path, table }: Kind, box: string, userId: string): SQL => sql`(
  select count(*) from (
    select record_id from ${drafts} where user_id = ${userId}::uuid and record_kind = ${path}
    union select record_id from ${agentDrafts} where record_kind = ${path}
  ) as d join ${table} r on r.id = d.record_id where r.box = ${box}
)`

/**
 * Keeps a draft in place of an earlier one: a person's own, or that of a program's token, which is for everybody and
 * does not replace one that its owner has begun. Undefined where there is no record outside the trash, or the account
 * is gone; both rows are locked, so that neither goes meanwhile.
 */
export const keepDraft = (
  db: Database,
  kind: Kind,
  id: string,
  { text, subject }: { text: string; subject: string | undefined },
  { id: userId, username, token }: Pick<Actor, 'id' | 'username' | 'token'>,
): Promise<Draft | undefined> =>
  writeValue(
    db,
    token
      ? sql`d as (
          insert into ${agentDrafts} (record_kind, record_id, token_id, token, by, text)
          select ${kind.path}, r.id, ${token.id}::uuid, ${token.name}, ${username}, ${text}
          from ${kind.table} r where r.id = ${id}::uuid and r.box <> 'trash' for key share
          on conflict (record_id, token_id) do update
            set text = excluded.text, token = excluded.token, by = excluded.by, at = now()
          returning *
        )`
      : sql`d as (
          insert into ${drafts} (record_id, user_id, record_kind, text, subject)
          select r.id, u.id, ${kind.path}, ${text}, ${subject ?? null}::text
          from ${kind.table} r join ${users} u on u.id = ${userId}::uuid
          where r.id = ${id}::uuid and r.box <> 'trash' for key share
          on conflict (record_id, user_id) do update
            set text = excluded.text, subject = excluded.subject, at = now()
          returning *
        )`,
    token
      ? sql`select ${draftJson({ subject: sql`null::text`, by: sql`d.by` })} as draft from d`
      : sql`select ${ofUser} as draft from d join ${users} u on u.id = d.user_id`,
  )

export const dropDraft = (
  db: Database,
  id: string,
  { id: userId, token }: Pick<Actor, 'id' | 'token'>,
): Promise<unknown> => {
  const drop = token
    ? sql`delete from ${agentDrafts} where token_id = ${token.id}::uuid`
    : sql`delete from ${drafts} where user_id = ${userId}::uuid`
  const steps = sql`d as (${drop} and record_id = ${id}::uuid returning *)`
  return write(db, steps, sql`select record_id from d`)
}

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
