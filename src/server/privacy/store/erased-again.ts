import type { Config } from '#server/config.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { run } from '#server/db/rows.ts'
import { accountLinks } from '#server/db/schema/accounts/factors.ts'
import { mail } from '#server/db/schema/mail.ts'
import { views } from '#server/db/schema/settings.ts'
import { kinds } from '#server/kinds/kinds.ts'
import { acknowledgementLimit } from '#server/mail-out/limit.ts'
import type { Scope } from './erase.ts'
import type { What } from './erasures.ts'
import { isPersonal, otherAddresses } from './purge.ts'

const PAGE = 5_000

/** An address or a record that the database holds something on. */
export interface Held {
  what: What
  value: string
}

export type Match = Held & { at: string }

/** Every address and record, with the time of the oldest that is held on it. */
export async function* held(db: Database): AsyncGenerator<Held & { oldest: string }> {
  const all = sql.join(
    [
      ...kinds.flatMap(({ table }) => [
        sql`select 'address' as what, lower(email) as value, created_at from ${table}`,
        sql`select 'record', id::text, created_at from ${table}`,
      ]),
      sql`select 'address', lower(m.recipient), m.created_at from ${mail} m where ${isPersonal}`,
      sql`select 'address', lower(email), created_at from ${accountLinks} where kind = 'invitation'`,
      sql`select 'address', address, at from (${otherAddresses}) as others`,
      sql`select 'address', lower(filter->>'q'), updated_at from ${views} where filter->>'q' like '%@%'`,
    ],
    sql` union all `,
  )
  let after: Held = { what: 'address', value: '' }
  for (;;) {
    const page = await run(
      db
        .select({
          what: sql<What>`what`,
          value: sql<string>`value`,
          oldest: sql`min(created_at)`.mapWith(mail.createdAt),
        })
        .from(sql`(${all}) as held`)
        .where(sql`(what, value) > (${after.what}::text, ${after.value}::text)`)
        .groupBy(sql`what`, sql`value`)
        .orderBy(sql`what`, sql`value`)
        .limit(PAGE),
    )
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE) return
    after = last
  }
}

export const matchesScope = (
  config: Pick<Config, 'authSecret'>,
  matches: readonly Match[],
): Scope => {
  const again = (what: What, value: SQL, createdAt: SQL): SQL =>
    sql`exists (select from again a where a.what = ${what} and a.value = ${value} and ${createdAt} <= a.at)`
  const created = sql`r.created_at`
  return {
    kinds,
    ctes: [
      sql`again as (
        select * from jsonb_to_recordset(${JSON.stringify(matches)}::jsonb)
          as given(what text, value text, at timestamptz)
      )`,
    ],
    records: sql`
      ${again('address', sql`lower(r.email)`, created)} or ${again('record', sql`r.id::text`, created)}`,
    // As at the sender's own erasure; that of an address takes everything.
    keepsAccepted: sql`keep and not ${again('address', sql`lower(email)`, sql`created_at`)}`,
    mail: sql`(m.kind = 'digest' or (${isPersonal}
      and ${again('address', sql`lower(m.recipient)`, sql`m.created_at`)}))`,
    invitations: again('address', sql`lower(l.email)`, sql`l.created_at`),
    isAddress: (address) => again('address', address, sql`e.at`),
    addresses: sql`select value as address from again where what = 'address'`,
    limitKeys: matches
      .filter(({ what }) => what === 'address')
      .map(({ value }) => acknowledgementLimit(config, value).key),
  }
}
