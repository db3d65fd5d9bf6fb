import { type SQL, sql } from 'drizzle-orm'
import { rights } from '#contract/http/access.ts'
import { mail } from '#server/db/schema/mail.ts'

/** Mail about records that staff accounts are still to get: it names people, and may wait for weeks. */

/** @param team the addresses of `MAIL_TO`, whose mail belongs to no account */
const isUnsentTo = (email: SQL, team: readonly string[]): SQL => sql`
  m.kind in ('staff', 'digest') and m.status in ('waiting', 'held', 'failed')
    and lower(m.recipient) = lower(${email})
    and not lower(m.recipient) = any(${sql.param(team.map((address) => address.toLowerCase()))}::text[])`

const mayRead = (role: SQL): SQL =>
  sql`${role} = any(${sql.param([...rights['records.read']])}::text[])`

/** Steps after an account changed from a row of `stored` to one of `changed`: its mail follows, or goes. */
export const staffMailFollows = (team: readonly string[]): SQL => sql`
  staff_mail_moved as (
    update ${mail} m set recipient = changed.email from stored join changed using (id)
    where ${isUnsentTo(sql`stored.email`, team)} and ${mayRead(sql`changed.role`)}
      and changed.email <> stored.email
  ),
  staff_mail_gone as (
    delete from ${mail} m using stored join changed using (id)
    where ${isUnsentTo(sql`stored.email`, team)} and not ${mayRead(sql`changed.role`)}
  )`

/** A step that removes the mail of the accounts in `deleted`. */
export const staffMailGone = (team: readonly string[]): SQL => sql`
  staff_mail_gone as (
    delete from ${mail} m using deleted where ${isUnsentTo(sql`deleted.email`, team)}
  )`
