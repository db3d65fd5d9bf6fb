import { type SQL, sql } from '#server/db/drizzle.ts'
import { roleMay } from '#server/db/role-may.ts'
import { mail } from '#server/db/schema/mail.ts'

/** Unsent mail about records to staff accounts. It names people and may wait for weeks. */

/** @param team the addresses of `MAIL_TO`, whose mail belongs to no account */
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

/** A CTE that deletes the mail of the accounts in `deleted`. */
export const staffMailGone = (team: readonly string[]): SQL => sql`
  staff_mail_gone as (
    delete from ${mail} m using deleted where ${isUnsentTo(sql`deleted.email`, team)}
  )`
