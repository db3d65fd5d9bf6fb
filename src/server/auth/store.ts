import { type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contract/access.ts'
import type { Session } from '#contract/auth.ts'
import { accountDetails } from '#server/db/account-event.ts'
import type { Database } from '#server/db/database.ts'
import {
  countAttempt,
  forgetAttempts,
  giveBack,
  type Limit,
  recount,
  windowOf,
} from '#server/db/rate-limit.ts'
import { recordEvent } from '#server/db/record-event.ts'
import { rows } from '#server/db/rows.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { users } from '#server/db/schema/users.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

/** A session ends after LIFETIME in all, or IDLE without use by a person. */
const LIFETIME = sql`interval '12 hours'`
const IDLE = sql`interval '2 hours'`
/** How exactly the last use is known: one write a minute is enough. */
const TOUCH = sql`interval '1 minute'`

/** Of a row of sessions: neither expired, nor idle, nor from before the account's last change of credentials. */
const isAlive = sql`(
  expires_at > now() and last_used_at > now() - ${IDLE}
  and credential_version = (select u.credential_version from ${users} u where u.id = user_id)
)`

export interface StoredAccount {
  id: string
  username: string
  email: string
  role: Role
}

/** An account with what a password was checked against. */
export interface VerifiedAccount extends StoredAccount {
  passwordHash: string
  credentialVersion: number
}

/** How long a failure counts. */
export const WINDOW_SECONDS = 15 * 60
/** How long an attempt counts while its password is being checked: more than the longest wait for a hash. */
const PENDING_SECONDS = 60

/** What an attempt to sign in is counted against: its e-mail, and the client's IP and network. */
export interface SignInLimits {
  email: Limit
  ips: readonly Limit[]
}

const allOf = ({ email, ips }: SignInLimits): Limit[] => [email, ...ips]

/** An attempt under way, counted against its limits at a moment. */
export interface Attempt {
  limits: SignInLimits
  moment: string
}

const accountColumns = sql`id, username, email, role`

/**
 * Counts an attempt for as long as its password is being checked, and finds the account that it is about.
 *
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const beginAttempt = async (
  db: Database,
  email: string,
  limits: SignInLimits,
): Promise<Attempt & { account: VerifiedAccount | undefined }> => {
  const moment = sql`(now() - ${windowOf(limits.email)} + ${windowOf({ windowSeconds: PENDING_SECONDS })})::timestamptz(3)`
  const [found] = await rows<{ moment: string; account: VerifiedAccount | null }>(
    db,
    sql`with counted as (${countAttempt(allOf(limits), sql`true`, moment)})
      select ${moment} as moment,
        (
          select json_build_object('id', id, 'username', username, 'email', email, 'role', role,
            'passwordHash', password_hash, 'credentialVersion', credential_version)
          from ${users} where lower(email) = lower(${email})
        ) as account`,
  )
  if (!found) throw new Error('An attempt was neither counted nor refused')
  return { limits, moment: found.moment, account: found.account ?? undefined }
}

/** The password was wrong: from now on the attempt counts for the whole window. */
export const countFailure = (db: Database, { limits, moment }: Attempt): Promise<unknown> =>
  rows(db, recount(allOf(limits), moment))

/** The attempt failed for a reason that is not its password: it counts no longer. */
export const releaseAttempt = (db: Database, { limits, moment }: Attempt): Promise<unknown> =>
  rows(db, giveBack(allOf(limits), moment))

/** A successful attempt leaves nothing counted against the e-mail, and nothing more against the IP. */
const settleAttempt = ({ limits: { email, ips }, moment }: Attempt): SQL => sql`
  given_back as (${giveBack(ips, moment)}),
  forgotten as (${forgetAttempts(email)})`

interface NewSession {
  tokenHash: string
  browser: string | null
}

export interface StartedSession {
  account: StoredAccount
  expiresAt: string
}

type SessionRow = StoredAccount & { expiresAt: string }

const started = (row: SessionRow | undefined): StartedSession | undefined => {
  if (!row) return undefined
  const { expiresAt, ...account } = row
  return { account, expiresAt }
}

const insertSession = ({ tokenHash, browser }: NewSession): SQL => sql`
  insert into ${sessions} (user_id, token_hash, browser, credential_version, expires_at)
  select id, ${tokenHash}, ${browser}, credential_version, now() + ${LIFETIME} from account
  returning id, expires_at`

/**
 * Whether the verified password is still the account's. Its hash stays through changes of role or
 * e-mail, its credential version through a stronger hash of the same password.
 */
const isStillVerified = ({ id, passwordHash, credentialVersion }: VerifiedAccount): SQL => sql`
  id = ${id}::uuid
    and (password_hash = ${passwordHash} or credential_version = ${credentialVersion}::int)`

const startedColumns = sql`account.id, account.username, account.email, account.role,
  session.expires_at as "expiresAt"`

/** Opens a session, if the account still has the password that was verified. */
export const startSession = async (
  db: Database,
  verified: VerifiedAccount,
  session: NewSession,
  attempt: Attempt,
): Promise<StartedSession | undefined> => {
  const [row] = await rows<SessionRow>(
    db,
    sql`with
      account as (
        select ${accountColumns}, credential_version from ${users}
        where ${isStillVerified(verified)}
        for share
      ),
      swept as (delete from ${sessions} where user_id in (select id from account) and not ${isAlive}),
      session as (${insertSession(session)}),
      event as (
        ${recordEvent(
          {
            by: { id: sql`account.id`, username: sql`account.username` },
            kind: 'sign_in',
            targetKind: 'sessions',
            targetId: sql`session.id`,
          },
          sql`account, session`,
        )}
      ),
      ${settleAttempt(attempt)}
      select ${startedColumns} from account, session`,
  )
  return started(row)
}

/** The event of a new password, of the row `account`. */
const passwordUpdate = {
  kind: 'user.update',
  targetKind: 'users',
  targetId: sql`id`,
  fields: ['password'],
  details: accountDetails({ from: 'account', to: 'account' }),
}

/** Replaces a hash by a stronger one of the same password. */
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

/** Sets a new password, ends every session of the account and opens the one that goes on. */
export const replacePassword = async (
  db: Database,
  verified: VerifiedAccount,
  newHash: string,
  session: NewSession,
  attempt: Attempt,
): Promise<StartedSession | undefined> => {
  const [row] = await rows<SessionRow>(
    db,
    sql`with
      account as (
        update ${users} set password_hash = ${newHash}, credential_version = credential_version + 1,
          version = version + 1, updated_at = now()
        where ${isStillVerified(verified)}
        returning ${accountColumns}, credential_version
      ),
      ended as (delete from ${sessions} where user_id in (select id from account)),
      session as (${insertSession(session)}),
      event as (
        ${recordEvent(
          {
            ...passwordUpdate,
            by: { id: sql`id`, username: sql`username` },
          },
          sql`account`,
        )}
      ),
      ${settleAttempt(attempt)}
      select ${startedColumns} from account, session`,
  )
  return started(row)
}

/** Gives an account a new password, by a command; false when no account has the e-mail. */
export const resetPassword = async (
  db: Database,
  email: string,
  newHash: string,
): Promise<boolean> => {
  const changed = await rows(
    db,
    sql`with
      account as (
        update ${users} set password_hash = ${newHash}, credential_version = credential_version + 1,
          version = version + 1, updated_at = now()
        where lower(email) = lower(${email})
        returning id, username, role
      ),
      ended as (delete from ${sessions} where user_id in (select id from account)),
      event as (
        ${recordEvent({ ...passwordUpdate, via: 'command' }, sql`account`)}
      )
      select id from account`,
  )
  return changed.length > 0
}

/**
 * Who holds the session of a token; its last use is noted now and then.
 *
 * @param isUse whether the call counts as use of the session
 */
export const findActor = async (
  db: Database,
  { userId, tokenHash }: { userId: string; tokenHash: string },
  { isUse }: { isUse: boolean },
): Promise<Actor | undefined> => {
  const [actor] = await rows<Actor>(
    db,
    sql`with
      alive as (
        select id, user_id, last_used_at from ${sessions}
        where token_hash = ${tokenHash} and user_id = ${userId}::uuid and ${isAlive}
      ),
      touched as (
        update ${sessions} set last_used_at = now()
        where ${isUse} and id in (select id from alive where last_used_at < now() - ${TOUCH})
      )
      select u.id, u.username, u.email, u.role, alive.id as "sessionId"
      from alive join ${users} as u on u.id = alive.user_id`,
  )
  return actor
}

/** One's living sessions, newest first. */
export const listSessions = (
  db: Database,
  { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
): Promise<Session[]> =>
  rows(
    db,
    sql`select id as "_id", created_at as "createdAt", last_used_at as "lastUsedAt", browser,
        id = ${sessionId}::uuid as current
      from ${sessions} where user_id = ${id}::uuid and ${isAlive}
      order by created_at desc, id desc`,
  )

/** Ends one of the actor's own sessions; false when there is none of that id. */
export const endOwnSession = async (
  db: Database,
  actor: Actor,
  sessionId: string,
  kind: 'session.end' | 'sign_out',
): Promise<boolean> => {
  const ended = await write(
    db,
    sql`
      ended as (
        delete from ${sessions}
        where id = ${sessionId}::uuid and user_id = ${actor.id}::uuid and ${isAlive}
        returning id
      ),
      event as (
        ${recordEvent({ by: actor, kind, targetKind: 'sessions', targetId: sql`id` }, sql`ended`)}
      )`,
    sql`select id from ended`,
  )
  return ended.length > 0
}
