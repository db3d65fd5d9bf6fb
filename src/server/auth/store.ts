import { type SQL, sql } from 'drizzle-orm'
import type { Role } from '#contract/access.ts'
import type { Session } from '#contract/auth.ts'
import { by } from '#server/db/by.ts'
import type { Database } from '#server/db/database.ts'
import { countAttempt, forgetAttempts, giveBack, type Limit } from '#server/db/rate-limit.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { users } from '#server/db/schema/users.ts'
import { write } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'

/** A session ends after so long in all, or so long without use. */
const LIFETIME = sql`interval '12 hours'`
const IDLE = sql`interval '2 hours'`
/** How exactly the last use is known: one write a minute is enough. */
const TOUCH = sql`interval '1 minute'`

const isAlive = sql`(expires_at > now() and last_used_at > now() - ${IDLE})`

export interface StoredAccount {
  id: string
  username: string
  email: string
  role: Role
}

/** What an attempt to sign in is counted against: its e-mail and its address. */
export interface SignInLimits {
  email: Limit
  address: Limit
}

const accountColumns = sql`id, username, email, role`

/**
 * Counts an attempt, and finds the account that it is about.
 *
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const beginAttempt = async (
  db: Database,
  email: string,
  limits: SignInLimits,
): Promise<(StoredAccount & { passwordHash: string }) | undefined> => {
  const [found] = await rows<StoredAccount & { passwordHash: string }>(
    db,
    sql`with counted as (${countAttempt([limits.email, limits.address])})
      select ${accountColumns}, password_hash as "passwordHash"
      from ${users} where lower(email) = lower(${email})`,
  )
  return found
}

/** A successful attempt leaves nothing counted against the e-mail, and nothing more against the address. */
const settleAttempt = ({ email, address }: SignInLimits): SQL => sql`
  forgotten as (${forgetAttempts(email)}),
  given_back as (${giveBack(address)})`

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
  insert into ${sessions} (user_id, token_hash, browser, expires_at)
  select id, ${tokenHash}, ${browser}, now() + ${LIFETIME} from account
  returning id, expires_at`

/** Opens a session, if the account still has the password that was verified. */
export const startSession = async (
  db: Database,
  verified: { id: string; passwordHash: string },
  session: NewSession,
  limits: SignInLimits,
): Promise<StartedSession | undefined> => {
  const [row] = await rows<SessionRow>(
    db,
    sql`with
      account as (
        select ${accountColumns} from ${users}
        where id = ${verified.id}::uuid and password_hash = ${verified.passwordHash}
        for share
      ),
      swept as (delete from ${sessions} where user_id in (select id from account) and not ${isAlive}),
      session as (${insertSession(session)}),
      event as (
        insert into ${events} (change_id, by_id, by, kind, target_kind, target_id)
        select uuid_v7(), account.id, account.username, 'sign_in', 'sessions', session.id
        from account, session
      ),
      ${settleAttempt(limits)}
      select account.*, session.expires_at as "expiresAt" from account, session`,
  )
  return started(row)
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
  verified: { id: string; passwordHash: string },
  newHash: string,
  session: NewSession,
  limits: SignInLimits,
): Promise<StartedSession | undefined> => {
  const [row] = await rows<SessionRow>(
    db,
    sql`with
      account as (
        update ${users} set password_hash = ${newHash}, updated_at = now()
        where id = ${verified.id}::uuid and password_hash = ${verified.passwordHash}
        returning ${accountColumns}
      ),
      ended as (delete from ${sessions} where user_id in (select id from account)),
      session as (${insertSession(session)}),
      event as (
        insert into ${events} (change_id, by_id, by, kind, target_kind, target_id, fields)
        select uuid_v7(), id, username, 'user.update', 'users', id, array['password'] from account
      ),
      ${settleAttempt(limits)}
      select account.*, session.expires_at as "expiresAt" from account, session`,
  )
  // A sign-in with the old password that was under way has opened its session by now, and no later
  // one can: the statement above could not see it, this one does.
  if (row)
    await rows(
      db,
      sql`delete from ${sessions}
        where user_id = ${verified.id}::uuid and token_hash <> ${session.tokenHash}`,
    )
  return started(row)
}

/** Who holds the session of a token; its last use is noted now and then. */
export const findActor = async (
  db: Database,
  { userId, tokenHash }: { userId: string; tokenHash: string },
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
        where id in (select id from alive where last_used_at < now() - ${TOUCH})
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
        insert into ${events} (change_id, by_id, by, kind, target_kind, target_id)
        select uuid_v7(), ${by(actor)}, ${kind}, 'sessions', id from ended
      )`,
    sql`select id from ended`,
  )
  return ended.length > 0
}
