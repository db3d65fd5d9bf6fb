import { user as shownUser, type User } from '#contract/accounts/users.ts'
import { type Database, type SQL, sql } from '#server/db/drizzle.ts'
import {
  accountCreated,
  accountDetails,
  type NewEvent,
  recordEvent,
} from '#server/db/events/record-event.ts'
import { iso } from '#server/db/json.ts'
import { checkedRow, checkedRows } from '#server/db/rows.ts'
import { accountLinks, apiTokens } from '#server/db/schema/accounts/factors.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'
import { appointments } from '#server/db/schema/appointments.ts'
import { views } from '#server/db/schema/settings.ts'
import { write, writeRow, writeValue } from '#server/db/write.ts'
import { HttpError, orNotFound } from '#server/http/http-error.ts'
import type { Actor } from '#server/http/route.ts'
import type { Rendered } from '#server/mail-out/render/render.ts'
import {
  queueAccountMail,
  staffMailFollows,
  staffMailGone,
} from '#server/mail-out/store/account.ts'

const userColumns = sql`
  id as "_id", username, email, role, role = 'superuser' as "isSuperuser",
  version, ${iso(sql`created_at`)} as "createdAt", ${iso(sql`updated_at`)} as "updatedAt"`

export const listUsers = (db: Database): Promise<User[]> =>
  checkedRows(db, shownUser, sql`select ${userColumns} from ${users} order by created_at, id`)

export const findUser = (db: Database, id: string): Promise<User | undefined> =>
  checkedRow(db, shownUser, sql`select ${userColumns} from ${users} where id = ${id}::uuid`)

const insertEvent = (actor: Actor, event: Omit<NewEvent, 'by' | 'targetKind' | 'targetId'>): SQL =>
  recordEvent({ ...event, by: actor, targetKind: 'users', targetId: sql`id` })

/** Ends the invitation of an address that has an account now: it would open another one once that is deleted. */
const invitationEnded = (account: SQL): SQL => sql`
  invitation_ended as (
    delete from ${accountLinks}
    where kind = 'invitation' and lower(email) in (select lower(email) from ${account})
  )`

type NewUser = Pick<User, 'username' | 'email' | 'role'> & {
  passwordHash: string
  mustChangePassword?: boolean | undefined
}

/** @throws the driver's 23505 where username or e-mail are taken */
export const createUser = (db: Database, actor: Actor, user: NewUser): Promise<User> =>
  writeRow<User>(
    db,
    sql`
      created as (
        insert into ${users} (username, email, password_hash, role, must_change_password)
        values (${user.username}, ${user.email}, ${user.passwordHash}, ${user.role},
          ${user.mustChangePassword ?? false})
        returning *
      ),
      ${invitationEnded(sql`created`)},
      event as (${accountCreated({ by: actor })})`,
    sql`select ${userColumns} from created`,
  )

/**
 * Two superusers who demote each other at once would both pass a mere condition. Each statement
 * therefore first locks every superuser, always in the same order, and counts them after the wait.
 */
const lockSuperusers = sql`
  superusers as (select id from ${users} where role = 'superuser' order by id for no key update),
  remaining as (select count(*) as n from superusers)`

// Reads `remaining` so that the superusers are locked before this row is.
const lockUser = (id: string): SQL => sql`
  stored as (
    select * from ${users} where id = ${id}::uuid and (select n from remaining) >= 0 for no key update
  )`

const LAST_SUPERUSER = 'There must always be at least one superuser.'

/** Told to the account where the field has changed. */
export type Notices = Partial<Record<'email' | 'role' | 'password', Rendered>>

/**
 * Changes what differs, and nothing where nothing does. A new role, e-mail or password ends the
 * user's sessions, those that begin meanwhile too.
 *
 * @param version what the change is based on; with a stale one nothing changes
 * @param team the addresses of `MAIL_TO`
 * @throws HttpError `not_found`, `conflict`, and the driver's 23505 where username or e-mail are taken
 */
export const updateUser = async (
  db: Database,
  actor: Actor,
  id: string,
  {
    username = null,
    email = null,
    role = null,
    passwordHash = null,
    mustChangePassword = null,
  }: { [Field in keyof NewUser]?: NewUser[Field] | null | undefined },
  {
    version,
    notices,
    team,
  }: { version: number | undefined; notices: Notices; team: readonly string[] },
) => {
  const [found] = await write<User & { isStale: boolean; isLast: boolean; fields: string[] }>(
    db,
    sql`
      ${lockSuperusers},
      ${lockUser(id)},
      verdict as (
        select id, coalesce(version <> ${version ?? null}::bigint, false) as is_stale,
          role = 'superuser' and ${role}::text <> 'superuser' and (select n from remaining) = 1 as is_last,
          array_remove(array[
            case when username <> ${username}::text then 'username' end,
            case when email <> ${email}::text then 'email' end,
            case when role <> ${role}::text then 'role' end,
            case when ${passwordHash}::text is not null then 'password' end,
            case when must_change_password <> ${mustChangePassword}::boolean then 'mustChangePassword' end
          ], null) as fields
        from stored
      ),
      allowed as (
        select *, fields && array['email', 'role', 'password'] as ends_sessions from verdict
        where not is_stale and is_last is not true and cardinality(fields) > 0
      ),
      changed as (
        update ${users} as u set
          username = coalesce(${username}::text, u.username),
          email = coalesce(${email}::text, u.email),
          role = coalesce(${role}::text, u.role),
          password_hash = coalesce(${passwordHash}::text, u.password_hash),
          must_change_password = coalesce(${mustChangePassword}::boolean, u.must_change_password),
          credential_version = u.credential_version + allowed.ends_sessions::int,
          version = u.version + 1,
          updated_at = now()
        from allowed where u.id = allowed.id
        returning u.*
      ),
      ended as (
        delete from ${sessions}
        where user_id in (select id from allowed where ends_sessions)
      ),
      event as (${insertEvent(actor, {
        kind: 'user.update',
        fields: sql`fields`,
        details: accountDetails({ from: 'stored', to: 'changed' }),
        from: sql`allowed join stored using (id) join changed using (id)`,
      })}),
      ${noticeSteps(notices)}
      ${invitationEnded(sql`changed`)},
      ${staffMailFollows(team)},
      result as (
        select * from changed
        union all
        select * from stored where not exists (select from changed)
      )`,
    sql`
      select ${userColumns}, is_stale as "isStale", coalesce(is_last, false) as "isLast", fields
      from result join (select id as verdict_id, is_stale, is_last, fields from verdict) as v
        on v.verdict_id = id`,
  )
  const { isStale, isLast, fields, ...user } = orNotFound(found)
  if (isStale) throw new HttpError('conflict', { data: user })
  if (isLast) throw new HttpError('conflict', LAST_SUPERUSER)
  return { user, fields }
}

/** Steps that tell an account what was changed; of a new e-mail, at the old one too. */
const noticeSteps = (notices: Notices): SQL =>
  sql.join(
    Object.entries(notices).map(([field, notice]) => {
      const addresses =
        field === 'email' ? sql`array[stored.email, changed.email]` : sql`array[changed.email]`
      const from = sql`allowed join stored using (id) join changed using (id),
        unnest(${addresses}) as told (address) where ${field} = any(fields)`
      return sql`${sql.identifier(`${field}_noticed`)} as (${queueAccountMail(notice, sql`told.address`, from)}),`
    }),
  )

/**
 * Deletes an account; its sessions go with it.
 *
 * @param team the addresses of `MAIL_TO`
 * @throws HttpError `not_found`, `conflict`
 */
export const deleteUser = async (
  db: Database,
  actor: Actor,
  id: string,
  team: readonly string[],
): Promise<void> => {
  const isToCome = sql`a.host_id = ${id}::uuid and a.state = 'booked' and a.end_at > now()`
  const [found] = await write<{ isLast: boolean; held: number }>(
    db,
    sql`
      ${lockSuperusers},
      ${lockUser(id)},
      verdict as (
        select id, role = 'superuser' and (select n from remaining) = 1 as is_last,
          (select count(*) from ${appointments} a where ${isToCome}) as held
        from stored
      ),
      deleted as (
        delete from ${users} where id in (select id from verdict where not is_last and held = 0) returning *
      ),
      appointments_left as (
        update ${appointments} a set host_id = null
        where a.host_id in (select id from deleted) and not (${isToCome})
      ),
      -- What the account shared stays; its own views go with it.
      views_kept as (
        update ${views} set user_id = null where shared and user_id in (select id from deleted)
      ),
      ${staffMailGone(team)},
      event as (${insertEvent(actor, {
        kind: 'user.delete',
        details: accountDetails({ from: 'deleted' }),
        from: sql`deleted`,
      })})`,
    sql`select is_last as "isLast", held from verdict`,
  )
  const { isLast, held } = orNotFound(found)
  if (isLast) throw new HttpError('conflict', LAST_SUPERUSER)
  if (held > 0) {
    const what = `${held} ${held === 1 ? 'appointment' : 'appointments'}`
    throw new HttpError('conflict', `They have ${what} to come: give them to another host first.`)
  }
}

export const endUserSessions = (db: Database, actor: Actor, id: string) =>
  writeValue<number>(
    db,
    sql`
      account as (
        update ${users} set credential_version = credential_version + 1 where id = ${id}::uuid
        returning id, credential_version
      ),
      -- Programs do not sign in: their tokens have an end of their own.
      tokens_kept as (
        update ${apiTokens} t set credential_version = account.credential_version
        from account
        where t.user_id = account.id and t.credential_version = account.credential_version - 1
      ),
      ended as (
        delete from ${sessions} where user_id in (select id from account) returning user_id
      ),
      whose as (select distinct user_id as id from ended),
      event as (${insertEvent(actor, { kind: 'session.end', from: sql`whose` })})`,
    sql`
      select (select count(*) from ended)::int as ended from ${users} where id = ${id}::uuid`,
  )
