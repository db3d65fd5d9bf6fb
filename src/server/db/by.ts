import { type SQL, sql } from 'drizzle-orm'

/** Who did it: the values of an event's `by_id, by`. */
export const by = ({ id, username }: { id: string; username: string }): SQL =>
  sql`${id}::uuid, ${username}::text`
