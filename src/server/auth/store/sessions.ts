import * as z from 'zod/mini'
import { limits } from '#contract/limits.ts'
import { type Database, desc, type SQL, sql } from '#server/db/drizzle.ts'
import { recordEvent, recordEventOf } from '#server/db/events/record-event.ts'
import { checkedRow, run } from '#server/db/rows.ts'
import { devices, sessions, users } from '#server/db/schema/accounts/users.ts'
import { writesAny } from '#server/db/write.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import { queueAccountMail } from '#server/mail-out/store/account.ts'
import { deviceKey } from '../device.ts'
import { storedAccount, type VerifiedAccount } from './accounts.ts'
import { type Attempt, settleAttempt } from './attempts.ts'

/** A session ends after LIFETIME in all, or IDLE without use by a person. */
const LIFETIME = sql`interval '12 hours'`
const IDLE = sql`interval '2 hours'`
/** The precision of the last use: one write a minute is enough. */
const TOUCH = sql`interval '1 minute'`
/** The time for which a sign-in or step-up allows protected calls. */
export const STEP_UP = sql.raw(`interval '${limits.stepUpMinutes} minutes'`)

/**
 * A session that is neither expired, nor idle, nor from before the account's last change of
 * credentials.
 */
const isAlive = sql`(
  expires_at > now() and last_used_at > now() - ${IDLE}
  and credential_version = (select u.credential_version from ${users} u where u.id = user_id)
)`

export const accountColumns = sql`id, username, email, role, credential_version`

export type NewSession = Pick<typeof sessions.$inferSelect, 'tokenHash' | 'browser' | 'device'>

const startedSession = z.extend(storedAccount, { expiresAt: z.string() })
export type StartedSession = z.output<typeof startedSession>

/** Runs a statement that begins a session, if it may, and answers {@link startedColumns}. */
export const beginSession = (db: Database, statement: SQL) =>
  checkedRow(db, startedSession, statement)

export const insertSession = ({ tokenHash, browser, device }: NewSession, stepUpUntil: SQL) => sql`
  insert into ${sessions}
    (user_id, token_hash, browser, device, credential_version, step_up_until, expires_at)
  select id, ${tokenHash}, ${browser}, ${device}, credential_version, ${stepUpUntil}, now() + ${LIFETIME}
  from account
  returning id, expires_at`

/**
 * Steps that sign the account of the row `account` in: its session, the event, and the memory of its
 * device, with a notice where others were used before.
 */
export const signInSteps = (
  session: NewSession,
  { fields, notice }: { fields?: readonly string[]; notice: Rendered },
): SQL => sql`
  swept as (delete from ${sessions} where user_id in (select id from account) and not ${isAlive}),
  session as (${insertSession(session, sql`now() + ${STEP_UP}`)}),
  event as (
    ${recordEvent({
      from: sql`account, session`,
      by: { id: sql`account.id`, username: sql`account.username` },
      kind: 'sign_in',
      targetKind: 'sessions',
      targetId: sql`session.id`,
      ...(fields ? { fields } : {}),
    })}
  ),
  device as (
    insert into ${devices} (user_id, hash)
    select id, ${deviceKey(session.device, session.browser)} from account
    on conflict (user_id, hash) do update set last_used_at = now()
    -- Of a row that was there before, it names the statement.
    returning user_id, xmax = 0 as is_new
  ),
  noticed as (
    ${queueAccountMail(
      notice,
      sql`account.email`,
      sql`account join device on device.user_id = account.id and device.is_new
        where exists (select from ${devices} d where d.user_id = account.id)`,
    )}
  )`

/**
 * True if the verified password is still the account's. Its hash stays through changes of role or
 * e-mail, its credential version through a stronger hash of the same password.
 */
export const isStillVerified = ({
  id,
  passwordHash,
  credentialVersion,
}: VerifiedAccount): SQL => sql`
  id = ${id}::uuid
    and (password_hash = ${passwordHash} or credential_version = ${credentialVersion}::int)`

export const startedColumns = sql`account.id, account.username, account.email, account.role,
  session.expires_at as "expiresAt"`

/** Opens a session, if the account still has the password that was verified, and no second factor. */
export const startSession = (
  db: Database,
  verified: VerifiedAccount,
  session: NewSession,
  { attempt, notice }: { attempt: Attempt; notice: Rendered },
) =>
  beginSession(
    db,
    sql`with
      account as (
        select ${accountColumns} from ${users}
        where ${isStillVerified(verified)} and factor_count = 0
        for share
      ),
      ${signInSteps(session, { notice })},
      ${settleAttempt(attempt)}
      select ${startedColumns} from account, session`,
  )

const actorRow: z.ZodMiniType<Omit<Actor, 'token'>> = z.extend(storedAccount, {
  sessionId: z.string(),
  device: z.nullable(z.string()),
  mustChangePassword: z.boolean(),
  factorCount: z.int(),
  hasSteppedUp: z.boolean(),
})

/** The person behind a session token; its last use is noted now and then. */
export const findActor = async (
  db: Database,
  { userId, tokenHash }: { userId: string; tokenHash: string },
  { isUse }: { isUse: boolean },
): Promise<Actor | undefined> => {
  const actor = await checkedRow(
    db,
    actorRow,
    sql`with
      alive as (
        select id, user_id, last_used_at, step_up_until, device from ${sessions}
        where token_hash = ${tokenHash} and user_id = ${userId}::uuid and ${isAlive}
      ),
      touched as (
        update ${sessions} set last_used_at = now()
        where ${isUse} and id in (select id from alive where last_used_at < now() - ${TOUCH})
      )
      select u.id, u.username, u.email, u.role, alive.id as "sessionId", alive.device,
        u.must_change_password as "mustChangePassword", u.factor_count as "factorCount",
        coalesce(alive.step_up_until > now(), false) as "hasSteppedUp"
      from alive join ${users} as u on u.id = alive.user_id`,
  )
  return actor && { ...actor, token: null }
}

export const listSessions = (db: Database, { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>) =>
  run(
    db
      .select({
        _id: sessions.id,
        createdAt: sessions.createdAt,
        lastUsedAt: sessions.lastUsedAt,
        browser: sessions.browser,
        current: sql`${sessions.id} = ${sessionId}::uuid`.mapWith(Boolean),
      })
      .from(sessions)
      .where(sql`${sessions.userId} = ${id}::uuid and ${isAlive}`)
      .orderBy(desc(sessions.createdAt), desc(sessions.id)),
  )

export const endOwnSession = (
  db: Database,
  actor: Actor,
  sessionId: string,
  kind: 'session.end' | 'sign_out',
): Promise<boolean> =>
  writesAny(
    db,
    sql`
      ended as (
        delete from ${sessions}
        where id = ${sessionId}::uuid and user_id = ${actor.id}::uuid and ${isAlive}
        returning id
      ),
      event as (${recordEventOf('ended', { by: actor, kind, targetKind: 'sessions' })})`,
    sql`select id from ended`,
  )
