import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import { accountDetails, type NewEvent, recordEventOf } from '#server/db/events/record-event.ts'
import { forgetAttempts, type Limit } from '#server/db/rate-limit.ts'
import { anyRow, rows } from '#server/db/rows.ts'
import {
  accountLinks,
  passkeys,
  recoveryCodes,
  totpSecrets,
} from '#server/db/schema/accounts/factors.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueAccountMail } from '#server/mail-out/store/account.ts'
import type { VerifiedAccount } from './accounts.ts'
import { type Attempt, settleAttempt } from './attempts.ts'
import {
  accountColumns,
  beginSession,
  insertSession,
  isStillVerified,
  type NewSession,
  STEP_UP,
  startedColumns,
} from './sessions.ts'

/** Changes of a password: by its owner, by a mailed link, by a command. A new one ends the account's sessions. */

const passwordUpdated = (actor: Pick<NewEvent, 'by' | 'via'>): SQL =>
  recordEventOf('account', {
    ...actor,
    kind: 'user.update',
    targetKind: 'users',
    fields: ['password'],
    details: accountDetails({ from: 'account', to: 'account' }),
  })

const byOwner = { by: { id: sql`id`, username: sql`username` } }

export const upgradeHash = (
  db: Database,
  { id, passwordHash }: { id: string; passwordHash: string },
  stronger: string,
): Promise<unknown> =>
  rows(
    db,
    sql`update ${users} set password_hash = ${stronger}
      where id = ${id}::uuid and password_hash = ${passwordHash}`,
  )

/** The columns that every change of a password sets. */
const newPassword = (hash: string): SQL => sql`
  password_hash = ${hash}, credential_version = credential_version + 1, must_change_password = false,
  version = version + 1, updated_at = now()`

const endSessions = sql`delete from ${sessions} where user_id in (select id from account)`

interface Replacement {
  session: NewSession
  actor: Actor
  attempt: Attempt
  notice: Rendered
}

/**
 * Sets a new password, ends every session of the account and opens the one that goes on. It has stepped
 * up where the password is all that the account has; otherwise as long as the session before it.
 */
export const replacePassword = (
  db: Database,
  verified: VerifiedAccount,
  newHash: string,
  { session, actor, attempt, notice }: Replacement,
) => {
  const stepUpUntil = sql`case when factor_count = 0 then now() + ${STEP_UP} else (
    select s.step_up_until from ${sessions} s where s.id = ${actor.sessionId}::uuid
  ) end`
  return beginSession(
    db,
    sql`with
      account as (
        update ${users} set ${newPassword(newHash)}
        where ${isStillVerified(verified)}
        returning ${accountColumns}, factor_count
      ),
      ended as (${endSessions}),
      session as (${insertSession(session, stepUpUntil)}),
      event as (${passwordUpdated(byOwner)}),
      noticed as (${queueAccountMail(notice, sql`email`, sql`account`)}),
      ${settleAttempt(attempt)}
      select ${startedColumns} from account, session`,
  )
}

/** Sets a new password by a link that still counts, and ends every session; false where it does not. */
export const replaceForgottenPassword = (
  db: Database,
  {
    linkHash,
    newHash,
    forget,
    notice,
  }: { linkHash: string; newHash: string; forget: readonly Limit[]; notice: Rendered },
): Promise<boolean> =>
  anyRow(
    db,
    sql`with
      link as (
        delete from ${accountLinks} where kind = 'reset' and hash = ${linkHash} and expires_at > now()
        returning user_id, credential_version as version_then
      ),
      account as (
        update ${users} set ${newPassword(newHash)} from link
        where id = link.user_id and credential_version = link.version_then
        returning id, username, email, role
      ),
      ended as (${endSessions}),
      forgotten as (${forgetAttempts(forget)}),
      event as (${passwordUpdated(byOwner)}),
      noticed as (${queueAccountMail(notice, sql`email`, sql`account`)})
      select id from account`,
  )

interface CommandReset {
  email: string
  newHash: string
  /** Passkeys, authenticator app and recovery codes go too. */
  removeFactors: boolean
  forget: readonly Limit[]
  notices: { password: Rendered; factors: Rendered }
}

/** Gives an account a new password, by a command; false when no account has the e-mail. */
export const resetPassword = (
  db: Database,
  { email, newHash, removeFactors, forget, notices }: CommandReset,
): Promise<boolean> =>
  anyRow(
    db,
    sql`with
      stored as (
        select id as user_id, factor_count as had_factors from ${users}
        where lower(email) = lower(${email}) for no key update
      ),
      account as (
        update ${users} set ${newPassword(newHash)},
          factor_count = case when ${removeFactors} then 0 else factor_count end
        from stored where id = user_id
        returning id, username, email, role, had_factors
      ),
      ended as (${endSessions}),
      forgotten as (${forgetAttempts(forget)}),
      losing as (select id, email from account where ${removeFactors} and had_factors > 0),
      no_passkeys as (delete from ${passkeys} where user_id in (select id from losing)),
      no_totp as (delete from ${totpSecrets} where user_id in (select id from losing)),
      no_codes as (delete from ${recoveryCodes} where user_id in (select id from losing)),
      event as (${passwordUpdated({ via: 'command' })}),
      factor_event as (
        ${recordEventOf('losing', {
          via: 'command',
          kind: 'factor_removed',
          targetKind: 'users',
          fields: ['passkeys', 'totp', 'recoveryCodes'],
        })}
      ),
      noticed as (${queueAccountMail(notices.password, sql`email`, sql`account`)}),
      factors_noticed as (${queueAccountMail(notices.factors, sql`email`, sql`losing`)})
      select id from account`,
  )
