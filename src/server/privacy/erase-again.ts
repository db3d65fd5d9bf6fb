import { sql } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { rows } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { acknowledgementLimit } from '#server/mail/limit.ts'
import { personalKinds } from '#server/mail/message.ts'
import { erase } from './erase.ts'
import { hashesOf, readErasures, type What } from './erasures.ts'

/** Values that are hashed, and matches that are erased, at once. */
const PAGE = 5_000
const BATCH = 200

type Known = { what: What; value: string }
type Match = Known & { at: string }

export interface ErasedAgain {
  /** Addresses on which something was held. */
  addresses: number
  /** Records that went, theirs and single ones. */
  records: number
}

/** How much it was, for a person to read. */
export const sumOf = ({ addresses, records }: ErasedAgain): string =>
  `${addresses} ${addresses === 1 ? 'address' : 'addresses'}, ${records} ${records === 1 ? 'record' : 'records'}`

/**
 * Erases what the database's list of erasures names and the database still, or again, holds: it was
 * restored from a backup that is older than the erasure. What came after the erasure stays.
 */
export const eraseAgain = async (deps: {
  db: Database
  config: Pick<Config, 'authSecret' | 'dataDir'>
}): Promise<ErasedAgain> => {
  const matches = await findErased(deps)
  let records = 0
  for (let start = 0; start < matches.length; start += BATCH)
    records += await eraseMatches(deps, matches.slice(start, start + BATCH))
  const addresses = matches.filter(({ what }) => what === 'address').length
  return { addresses, records }
}

const findErased = async ({ db, config }: Parameters<typeof eraseAgain>[0]): Promise<Match[]> => {
  const erasedAt = new Map(
    (await readErasures(db)).map(({ what, hash, erasedAt: at }) => [`${what} ${hash}`, at]),
  )
  if (erasedAt.size === 0) return []
  const matches: Match[] = []
  for await (const { what, value, oldest } of known(db)) {
    const times = hashesOf(config.authSecret, what, value).flatMap(
      (hash) => erasedAt.get(`${what} ${hash}`) ?? [],
    )
    const at = times.toSorted().at(-1)
    if (at !== undefined && oldest <= at) matches.push({ what, value, at })
  }
  return matches
}

/** Every address and record that the database holds something on, with the time of the oldest of it. */
async function* known(db: Database): AsyncGenerator<Known & { oldest: string }> {
  const all = sql.join(
    [
      ...kinds.flatMap(({ table }) => [
        sql`select 'address' as what, lower(email) as value, created_at from ${table}`,
        sql`select 'record', id::text, created_at from ${table}`,
      ]),
      sql`select 'address', lower(recipient), created_at from ${mail}
        where kind = any(${sql.param(personalKinds)}::text[])`,
    ],
    sql` union all `,
  )
  let after = { what: '', value: '' }
  for (;;) {
    const page = await rows<Known & { oldest: string }>(
      db,
      sql`select what, value, min(created_at) as oldest from (${all}) as held
        where (what, value) > (${after.what}::text, ${after.value}::text)
        group by what, value order by what, value limit ${PAGE}`,
    )
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last
  }
}

const eraseMatches = async (
  deps: Parameters<typeof eraseAgain>[0],
  matches: readonly Match[],
): Promise<number> => {
  const again = sql`again as (
    select * from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb)
      as given(what text, value text, at timestamptz)
  )`
  const erased = await erase(deps, {
    ctes: [again],
    records: () => sql`
      exists (select from again a where a.what = 'address' and a.value = lower(r.email) and r.created_at <= a.at)
      or exists (select from again a where a.what = 'record' and a.value = r.id::text and r.created_at <= a.at)`,
    mail: sql`(m.kind = any(${sql.param(personalKinds)}::text[]) and exists (
      select from again a where a.what = 'address' and a.value = lower(m.recipient) and m.created_at <= a.at
    ))`,
    limitKeys: matches
      .filter(({ what }) => what === 'address')
      .map(({ value }) => acknowledgementLimit(deps.config, value).key),
  })
  return kinds.reduce((sum, { path }) => sum + (erased[path] ?? 0), 0)
}
