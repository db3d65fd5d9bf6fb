import { type Database, sql } from '#server/db/drizzle.ts'
import { accountCreated, accountDetails, recordEvent } from '#server/db/events/record-event.ts'
import { anyRow, oneRow, oneValue } from '#server/db/rows.ts'
import { sessions, users } from '#server/db/schema/accounts/users.ts'

export const findStaff = (db: Database) =>
  oneRow<{ anybody: boolean; superuser: boolean }>(
    db,
    sql`select count(*) > 0 as anybody, coalesce(bool_or(role = 'superuser'), false) as superuser
      from ${users}`,
  )

/** Adds the first superuser; false where there is an account by now. */
export const addFirstSuperuser = (
  db: Database,
  { username, email, hash }: { username: string; email: string; hash: string },
): Promise<boolean> =>
  // Two starts at once agree on one: the unique keys let the second insert nothing.
  anyRow(
    db,
    sql`with
      created as (
        insert into ${users} (username, email, password_hash, role)
        select ${username}, ${email}, ${hash}, 'superuser'
        where not exists (select from ${users})
        on conflict do nothing
        returning id, username, role
      ),
      event as (${accountCreated({ via: 'start' })})
      select id from created`,
  )

/** Makes the oldest admin a superuser and ends their sessions; their id. */
export const promoteOldestAdmin = (db: Database) =>
  oneValue<string>(
    db,
    sql`with
      oldest as (
        select id, username, role from ${users} where role = 'admin' order by created_at, id limit 1
      ),
      promoted as (
        update ${users} as u set role = 'superuser', version = u.version + 1,
          credential_version = u.credential_version + 1, updated_at = now()
        from oldest where u.id = oldest.id
          -- Asked again of the row itself: a second start that waited for it must not go on.
          and u.role = 'admin'
          and not exists (select from ${users} where role = 'superuser')
        returning u.id, u.username, u.role
      ),
      ended as (delete from ${sessions} where user_id in (select id from promoted)),
      event as (
        ${recordEvent({
          from: sql`promoted, oldest`,
          via: 'start',
          kind: 'user.update',
          targetKind: 'users',
          targetId: sql`promoted.id`,
          fields: ['role'],
          details: accountDetails({ from: 'oldest', to: 'promoted' }),
        })}
      )
      select id from promoted`,
  )
