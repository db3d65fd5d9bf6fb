import * as z from 'zod/mini'
import { type Invitation, invitation } from '#contract/accounts/links.ts'
import { limits } from '#contract/limits.ts'
import { and, type Database, eq, type SQL, sql } from '#server/db/drizzle.ts'
import { accountCreated, recordEventOf } from '#server/db/events/record-event.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { checkedRow, checkedRows, oneCheckedRow, rows, runOne } from '#server/db/rows.ts'
import { accountLinks } from '#server/db/schema/accounts/factors.ts'
import { devices, roleMay, users } from '#server/db/schema/accounts/users.ts'
import { writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueLinkMail } from '#server/mail-out/store/account.ts'
import { beginSession, type NewSession, signInSteps, startedColumns } from './sessions.ts'

/** Links in mails: stored as hashes, for one use, until they expire. */

const expiry = {
  invitation: `${limits.invitationHours} hours`,
  reset: `${limits.resetMinutes} minutes`,
}

const expiresAt = (kind: keyof typeof expiry): SQL =>
  sql`now() + ${sql.raw(`interval '${expiry[kind]}'`)}`

const mailed = (authSecret: string, mail: Rendered): SQL =>
  queueLinkMail(authSecret, mail, {
    to: sql`email`,
    from: sql`created`,
    expiresAt: sql`expires_at`,
  })

const onNewer = sql`on conflict (kind, lower(email)) do update set
  id = excluded.id, hash = excluded.hash, email = excluded.email, user_id = excluded.user_id,
  credential_version = excluded.credential_version, role = excluded.role, username = excluded.username,
  created_at = excluded.created_at, expires_at = excluded.expires_at`

const invitationColumns = sql`id as "_id", email, role, username,
  created_at as "createdAt", expires_at as "expiresAt"`

/** A link that has not ended; an invitation also ends with its sender's right to invite. */
const isOpen = (kind: 'invitation' | 'reset'): SQL => {
  const isFresh = sql`${accountLinks.kind} = ${kind} and ${accountLinks.expiresAt} > now()`
  if (kind === 'reset') return isFresh
  return sql`${isFresh} and (
    ${accountLinks.userId} is null
    or exists (
      select from ${users} sender where sender.id = ${accountLinks.userId}
        and ${roleMay(sql`sender.role`, 'users.manage')}
    )
  )`
}

export const listInvitations = (db: Database): Promise<Invitation[]> =>
  checkedRows(
    db,
    invitation,
    sql`select ${invitationColumns} from ${accountLinks}
      where ${isOpen('invitation')} order by id desc`,
  )

type NewInvitation = Pick<Invitation, 'email' | 'role' | 'username'> & {
  hash: string
  mail: Rendered
}

/** Stores an invitation in place of an older one, and queues its mail. */
export const createInvitation = (
  db: Database,
  authSecret: string,
  actor: Actor,
  { hash, email, role, username, mail }: NewInvitation,
): Promise<Invitation> =>
  oneCheckedRow(
    db,
    invitation,
    sql`with
      created as (
        insert into ${accountLinks} (kind, hash, email, user_id, role, username, expires_at)
        values ('invitation', ${hash}, ${email}, ${actor.id}::uuid, ${role}, ${username},
          ${expiresAt('invitation')})
        ${onNewer}
        returning *
      ),
      mailed as (${mailed(authSecret, mail)}),
      event as (
        ${recordEventOf('created', {
          by: actor,
          kind: 'invited',
          targetKind: 'invitations',
          fields: username === null ? ['email', 'role'] : ['email', 'role', 'username'],
        })}
      )
      select ${invitationColumns} from created`,
  )

export const endInvitation = (db: Database, actor: Actor, id: string): Promise<boolean> =>
  writesAny(
    db,
    sql`
      ended as (
        delete from ${accountLinks} where id = ${id}::uuid and kind = 'invitation' returning id
      ),
      event as (${recordEventOf('ended', { by: actor, kind: 'invitation.end', targetKind: 'invitations' })})`,
    sql`select id from ended`,
  )

export const findInvitation = (db: Database, hash: string) =>
  checkedRow(
    db,
    z.pick(invitation, { email: true, role: true, username: true }),
    sql`select email, role, username from ${accountLinks}
      where ${isOpen('invitation')} and hash = ${hash}`,
  )

/**
 * Makes the invited account and signs it in; undefined where the invitation is used or old.
 *
 * @throws the driver's 23505 where username or e-mail are taken; the invitation stays then
 */
export const acceptInvitation = (
  db: Database,
  hash: string,
  { username, passwordHash }: { username: string; passwordHash: string },
  { session, notice }: { session: NewSession; notice: Rendered },
) =>
  beginSession(
    db,
    sql`with
      taken as (
        delete from ${accountLinks}
        where hash = ${hash} and ${isOpen('invitation')}
        returning email, role
      ),
      account as (
        insert into ${users} (username, email, password_hash, role)
        select ${username}::text, email, ${passwordHash}::text, role from taken
        returning id, username, email, role, credential_version
      ),
      made as (${accountCreated({ by: { id: sql`id`, username: sql`username` } }, 'account')}),
      ${signInSteps(session, { notice })}
      select ${startedColumns} from account, session`,
  )

/**
 * Stores a link for a new password in place of an older one and queues its mail, where an account has
 * the address.
 *
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const createReset = (
  db: Database,
  authSecret: string,
  { email, hash, mail, limit }: { email: string; hash: string; mail: Rendered; limit: Limit },
): Promise<unknown> =>
  rows(
    db,
    sql`with
      counted as (${countAttempt([limit])}),
      created as (
        insert into ${accountLinks} (kind, hash, email, user_id, credential_version, expires_at)
        select 'reset', ${hash}, email, id, credential_version, ${expiresAt('reset')}
        from ${users} where lower(email) = lower(${email})
        ${onNewer}
        returning email, expires_at
      ),
      mailed as (${mailed(authSecret, mail)})
      select count(*) from counted`,
  )

/** The account whose password a link sets; undefined where the link is used or old. */
export const findReset = (db: Database, hash: string) =>
  runOne(
    db
      .select({
        username: users.username,
        email: users.email,
        devices: sql<string[]>`array(
          select ${devices.hash} from ${devices} where ${devices.userId} = ${users.id}
        )`,
      })
      .from(accountLinks)
      .innerJoin(users, eq(users.id, accountLinks.userId))
      .where(
        and(
          isOpen('reset'),
          eq(accountLinks.hash, hash),
          eq(users.credentialVersion, accountLinks.credentialVersion),
        ),
      ),
  )
