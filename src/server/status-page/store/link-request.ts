import * as z from 'zod/mini'
import { kindPaths } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { checkedRows, rows } from '#server/db/rows.ts'
import { mail } from '#server/db/schema/mail.ts'
import { write } from '#server/db/write.ts'
import { unionOfKinds } from '#server/kinds/store/record.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'

const theirs = z.object({
  kind: z.enum(kindPaths),
  id: z.string(),
  /** As it was typed. */
  email: z.string(),
  createdAt: z.string(),
})
export type Theirs = z.output<typeof theirs>

export const recordsOf = (db: Database, email: string): Promise<Theirs[]> => {
  const records = unionOfKinds(
    ({ path, table }) => sql`(
      select ${sql.raw(`'${path}'`)} as kind, id, email, created_at as "createdAt" from ${table}
      where lower(email) = lower(${email}) and box = 'inbox'
      order by created_at desc limit ${limits.senderLinks}
    )`,
  )
  return checkedRows(
    db,
    theirs,
    sql`${records} order by "createdAt" desc limit ${limits.senderLinks}`,
  )
}

/**
 * Queues the mail with an address's links, unless its records have been erased meanwhile.
 *
 * @throws the driver's error of a full limit
 */
export const queueLinks = (
  db: Database,
  to: string,
  { subject, text, html }: Rendered,
  limit: Limit,
): Promise<unknown> => {
  const theirs = unionOfKinds(
    ({ table }) => sql`select from ${table} where lower(email) = lower(${to}) and box = 'inbox'`,
  )
  return rows(
    db,
    sql`with counted as (${countAttempt([limit])})
      insert into ${mail} (kind, recipient, subject, text, html, status)
      select 'code', ${to}, ${subject}, ${text}, ${html}, 'waiting' from counted
      where exists (${theirs})`,
  )
}

/** @throws the driver's error of a full limit */
export const countRequest = (db: Database, limits: readonly Limit[]): Promise<unknown> =>
  write(db, sql`counted as (${countAttempt(limits)})`, sql`select true as counted`)
