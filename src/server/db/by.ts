import { type SQL, sql } from 'drizzle-orm'
import { users } from './schema/users.ts'

/**
 * Who did it: the values of an event's `by_id, by`. The account is read under a lock, so that one
 * which is deleted while the statement runs leaves its name alone, never a broken reference.
 */
export const by = ({ id, username }: { id: string; username: string }): SQL =>
  sql`(select u.id from ${users} u where u.id = ${id}::uuid for key share), ${username}::text`
