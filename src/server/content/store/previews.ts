import { type Database, sql } from '#server/db/drizzle.ts'
import { iso } from '#server/db/json.ts'
import { oneRow, oneValue } from '#server/db/rows.ts'
import { roleMay, users } from '#server/db/schema/accounts/users.ts'
import { contentPreviews } from '#server/db/schema/content.ts'
import type { Actor } from '#server/http/route.ts'

/** Stores a link for 24 hours and removes those that have ended; answers until when. */
export const addPreview = async (
  db: Database,
  { hash, path }: { hash: string; path: string },
  actor: Actor,
): Promise<string> => {
  const { expiresAt } = await oneRow<{ expiresAt: string }>(
    db,
    sql`with ended as (delete from ${contentPreviews} where expires_at < now())
      insert into ${contentPreviews} (token_hash, path, by_id, expires_at)
      values (${hash}, ${path}, ${actor.id}::uuid, now() + interval '24 hours')
      returning ${iso(sql`expires_at`)} as "expiresAt"`,
  )
  return expiresAt
}

/** The path that a link shows; undefined where it has ended, also with its maker's right, or never was one. */
export const findPreview = (db: Database, hash: string) =>
  oneValue<string>(
    db,
    sql`select p.path from ${contentPreviews} p join ${users} u on u.id = p.by_id
      where p.token_hash = ${hash} and p.expires_at > now() and ${roleMay(sql`u.role`, 'content.edit')}`,
  )
