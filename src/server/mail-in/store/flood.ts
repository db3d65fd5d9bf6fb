import type { Config } from '#server/config.ts'
import { type Database, sql } from '#server/db/drizzle.ts'
import { oneValue, rows } from '#server/db/rows.ts'
import { contacts } from '#server/db/schema/contacts.ts'
import { mail } from '#server/db/schema/mail.ts'
import { renderFlood } from '#server/mail-out/render/submission.ts'
import { teamRecipients } from '#server/mail-out/store/recipients.ts'

export const announceFlood = async (db: Database, config: Config): Promise<void> => {
  const count = await oneValue<number>(
    db,
    sql`select count(*)::int from ${contacts}
      where 'flood' = any(spam) and created_at > now() - interval '1 hour'`,
  )
  const { subject, text, html } = renderFlood(count ?? 0, config.siteUrl)
  await rows(
    db,
    sql`insert into ${mail} (kind, recipient, subject, text, html, status)
      select 'staff', t.email, ${subject}, ${text}, ${html}, 'waiting' from (${teamRecipients(config)}) t`,
  )
}
