import type { EventTarget } from '#contract/audit.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent } from '#server/db/events/record-event.ts'
import { rows } from '#server/db/rows.ts'
import { roleMay, users } from '#server/db/schema/accounts/users.ts'
import { mail } from '#server/db/schema/mail.ts'
import type { Actor } from '#server/http/route.ts'
import { renderExportNotice } from '#server/mail-out/render/account.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { sealText } from '#server/mail-out/sealed-text.ts'

/** Mail to staff accounts, queued by the statement that it is about. */

/** A step that queues a message for each row of `from`; `to` is an address, or a column of `from`. */
export const queueAccountMail = ({ subject, text, html }: Rendered, to: SQL, from: SQL): SQL => sql`
  insert into ${mail} (kind, recipient, subject, text, html, status)
  select 'account', ${to}, ${subject}::text, ${text}::text, ${html}::text, 'waiting' from ${from}`

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

interface Exported {
  target: EventTarget
  /** Lists only: the names of the filters. */
  filters?: readonly string[]
}

export const logExport = (db: Database, actor: Actor, { target, filters }: Exported) =>
  rows(
    db,
    sql`with
      logged as (${recordEvent({ by: actor, kind: 'export', targetKind: target, fields: filters ?? [] })}),
      noticed as (${tellSuperusers(renderExportNotice(actor.username, target, filters))})
      select`,
  )

/**
 * Unsent mail about records to a staff account: it names people and may wait for weeks.
 *
 * @param team the addresses of `MAIL_TO`, whose mail belongs to no account
 */
const isUnsentTo = (email: SQL, team: readonly string[]): SQL => sql`
  m.kind in ('staff', 'digest') and m.status in ('waiting', 'held', 'failed')
    and lower(m.recipient) = lower(${email})
    and not lower(m.recipient) = any(${sql.param(team.map((address) => address.toLowerCase()))}::text[])`

/**
 * CTEs after an account changed from a row of `stored` to one of `changed`: its mail gets the new address, or is
 * deleted where the account may not read records any more.
 */
export const staffMailFollows = (team: readonly string[]): SQL => sql`
  staff_mail_moved as (
    update ${mail} m set recipient = changed.email from stored join changed using (id)
    where ${isUnsentTo(sql`stored.email`, team)} and ${roleMay(sql`changed.role`, 'records.read')}
      and changed.email <> stored.email
  ),
  staff_mail_gone as (
    delete from ${mail} m using stored join changed using (id)
    where ${isUnsentTo(sql`stored.email`, team)} and not ${roleMay(sql`changed.role`, 'records.read')}
  )`

export const staffMailGone = (team: readonly string[]): SQL => sql`
  staff_mail_gone as (
    delete from ${mail} m using deleted where ${isUnsentTo(sql`deleted.email`, team)}
  )`
