import { type SQL, sql } from '#server/db/drizzle.ts'
import { users } from '#server/db/schema/accounts/users.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { sealText } from '#server/mail-out/sealed-text.ts'

/** Mail to staff accounts, queued by the statement that it is about. */

/** A step that queues a message for each row of `from`; `to` is an address, or a column of `from`. */
export const queueAccountMail = ({ subject, text, html }: Rendered, to: SQL, from: SQL): SQL => sql`
  insert into ${mail} (kind, recipient, subject, text, html, status)
  select 'account', ${to}, ${subject}::text, ${text}::text, ${html}::text, 'waiting' from ${from}`

/** The same for every superuser. */
export const tellSuperusers = (rendered: Rendered, condition: SQL = sql`true`): SQL =>
  queueAccountMail(rendered, sql`email`, sql`${users} where role = 'superuser' and ${condition}`)

/** The step for a mail with a link, which is stored encrypted and is of no use after `expiresAt`. */
export const queueLinkMail = (
  authSecret: string,
  { subject, ...bodies }: Rendered,
  { to, from, expiresAt }: { to: SQL; from: SQL; expiresAt: SQL },
): SQL => sql`
  insert into ${mail} (kind, recipient, subject, text, html, sealed, expires_at, status)
  select 'account', ${to}, ${subject}::text, '', '', ${sealText(authSecret, bodies)}::text, ${expiresAt}, 'waiting'
  from ${from}`
