import { randomBytes } from 'node:crypto'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { isTableMissing, oneValue, rows, run } from '#server/db/rows.ts'
import { erasures } from '#server/db/schema/erasures.ts'
import { recordLinks } from '#server/db/schema/record-links.ts'
import { keyedHash, keyedHashes } from '#server/secrets/keys.ts'

/**
 * Erasures and ended links on request: a list without names, by which a restored backup is erased
 * again.
 */

/** Times are to the millisecond. */
export type Erasure = typeof erasures.$inferSelect

export type What = 'address' | 'record'

const texted = (what: What, value: string): string => `erased:${what}:${value.toLowerCase()}`

/** Tells by which key of the list a hash is made. */
const prefixOf = (key: string): string => `${keyedHash(key, 'name').slice(0, 8)}.`

/** The hashes made before the list had a key of its own have no prefix. */
const isUnderAuthSecret = (hash: string): boolean => !hash.includes('.')

/** Every hash under which an address or a record's id can stand in the list. */
export const hashesOf = (
  { keys, authSecret }: { keys: readonly string[]; authSecret: string },
  what: What,
  value: string,
): string[] => [
  ...keys.map((key) => prefixOf(key) + keyedHash(key, texted(what, value))),
  ...keyedHashes(authSecret, texted(what, value)),
]

/**
 * The key that hashes the list, made at the first call. It stands in the list, so that it comes along
 * wherever the list does and a new `AUTH_SECRET` loses nobody.
 */
export const erasureKey = async (db: Database): Promise<string> => {
  const fresh = randomBytes(32).toString('base64url')
  const key = await oneValue<string>(
    db,
    sql`with made as (
        insert into ${erasures} (what, hash)
        select 'key', ${fresh} where not exists (select from ${erasures} where what = 'key')
        returning hash
      )
      select hash as key from ${erasures} where what = 'key' union all select hash from made
      order by key limit 1`,
  )
  return key ?? fresh
}

/**
 * Remembers an erasure, as part of a larger statement.
 *
 * @param from at most one row; where there is none, nothing is remembered
 */
export const remember = (key: string, what: What, value: string, from?: SQL): SQL => sql`
  insert into ${erasures} (what, hash)
  select ${what}, ${prefixOf(key) + keyedHash(key, texted(what, value))} ${from ? sql`from ${from}` : sql``}
  on conflict (what, hash) do update set erased_at = excluded.erased_at`

/** The entries that may have been hashed under a key that is lost. */
export const unreadable = (list: readonly Erasure[], matched: ReadonlySet<string>): number => {
  const prefixes = list.flatMap(({ what, hash }) => (what === 'key' ? prefixOf(hash) : []))
  return list.filter(
    ({ what, hash }) =>
      (what === 'address' || what === 'record') &&
      (isUnderAuthSecret(hash)
        ? !matched.has(hash)
        : !prefixes.some((prefix) => hash.startsWith(prefix))),
  ).length
}

/** Ends the links of senders' pages that the list names; answers how many it ended. */
export const endListedLinks = async (db: Database): Promise<number> => {
  const ended = await rows(
    db,
    sql`update ${recordLinks} set ended_at = now()
      where ended_at is null and token_hash in (select hash from ${erasures} where what = 'link')
      returning id`,
  )
  return ended.length
}

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
export const mergeErasures = (db: Database, list: readonly Erasure[]): Promise<unknown> =>
  rows(
    db,
    sql`insert into ${erasures} as e (what, hash, erased_at)
      select what, hash, "erasedAt"
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        as given(what text, hash text, "erasedAt" timestamptz)
      on conflict (what, hash) do update set erased_at = greatest(e.erased_at, excluded.erased_at)`,
  )
