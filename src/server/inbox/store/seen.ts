import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Database } from '#server/db/database.ts'
import { checkedRows } from '#server/db/rows.ts'
import type { Kind } from '#server/kinds/kind.ts'

/**
 * Sets when staff first had a record open, and answers that time; undefined where there is no record
 * outside the trash. It is no change of the record: its version stays, and nothing is logged.
 */
export const markSeen = async (
  db: Database,
  kind: Kind,
  id: string,
): Promise<string | undefined> => {
  const [seen] = await checkedRows(
    db,
    z.object({ at: z.string() }),
    sql`update ${kind.table} set seen_at = coalesce(seen_at, now())
      where id = ${id}::uuid and box <> 'trash' returning seen_at as at`,
  )
  return seen?.at
}
