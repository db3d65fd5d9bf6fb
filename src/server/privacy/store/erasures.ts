import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#server/db/database.ts'
import { isTableMissing, rows, run } from '#server/db/rows.ts'
import { erasures } from '#server/db/schema/erasures.ts'
import { keyedHash, keyedHashes } from '#server/secrets/keys.ts'

/** What was erased on request: a list without names, by which a restored backup is erased again. */

/** Times are to the millisecond. */
export type Erasure = typeof erasures.$inferSelect

export type What = Erasure['what']

const texted = (what: What, value: string): string => `erased:${what}:${value.toLowerCase()}`

/** Every hash under which an address or a record's id can stand in the list. */
export const hashesOf = (authSecret: string, what: What, value: string): string[] =>
  keyedHashes(authSecret, texted(what, value))

/**
 * Remembers an erasure, as part of a larger statement.
 *
 * @param from at most one row; where there is none, nothing is remembered
 */
export const remember = (authSecret: string, what: What, value: string, from?: SQL): SQL => sql`
  insert into ${erasures} (what, hash)
  select ${what}, ${keyedHash(authSecret, texted(what, value))} ${from ? sql`from ${from}` : sql``}
  on conflict (what, hash) do update set erased_at = excluded.erased_at`

/** The whole list; empty where a database is older than the list. */
export const readErasures = async (db: Database): Promise<Erasure[]> => {
  try {
    return await run(db.select().from(erasures).orderBy(erasures.what, erasures.hash))
  } catch (error) {
    if (isTableMissing(error)) return []
    throw error
  }
}

/** Adds another database's list to this one's; of an erasure that both know, the later time counts. */
export const mergeErasures = async (db: Database, list: readonly Erasure[]): Promise<void> => {
  await rows(
    db,
    sql`insert into ${erasures} as e (what, hash, erased_at)
      select what, hash, "erasedAt"
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        as given(what text, hash text, "erasedAt" timestamptz)
      on conflict (what, hash) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
  )
}
