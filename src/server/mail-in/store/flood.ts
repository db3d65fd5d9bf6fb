import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { checkedRows, rows } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { contacts } from '#server/db/schema/contacts.ts'
import { mail } from '#server/db/schema/mail.ts'
import { staffAddresses } from '#server/mail-out/recipients.ts'
import { renderFlood } from '#server/mail-out/render/submission.ts'

/** Tells staff how many contacts were set apart as a flood within the last hour. */
export const announceFlood = async (db: Database, config: Config): Promise<void> => {
  const [found] = await checkedRows(
    db,
    z.object({ n: z.int() }),
    sql`select count(*)::int as n from ${contacts}
      where 'flood' = any(spam) and created_at > now() - interval '1 hour'`,
  )
  const { subject, text, html } = renderFlood(found?.n ?? 0, config.siteUrl)
  const team = staffAddresses(config)
  await rows(
    db,
    sql`insert into ${mail} (kind, recipient, subject, text, html, status)
      select 'staff', t.email, ${subject}, ${text}, ${html}, 'waiting' from (
        select value as email from jsonb_array_elements_text(${JSON.stringify(team)}::jsonb)
        union all
        select email from ${users} where role = 'superuser' and ${team.length} = 0
      ) as t`,
  )
}
