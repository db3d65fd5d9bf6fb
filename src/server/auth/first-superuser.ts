import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { accountDetails } from '#server/db/account-event.ts'
import { recordEvent } from '#server/db/record-event.ts'
import { rows } from '#server/db/rows.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { users } from '#server/db/schema/users.ts'
import type { Deps } from '#server/deps.ts'
import { hashPassword } from '#server/password/hash.ts'

/**
 * Sees to it, at every start, that somebody can manage the product. Where nobody is there yet the
 * first superuser is made of the environment; where no superuser is left the oldest admin becomes one.
 *
 * @returns what must be told once: the first superuser's e-mail and generated password; null
 * where there is nothing to tell.
 */
export const ensureFirstSuperuser = async ({
  config,
  db,
  log,
}: Pick<Deps, 'config' | 'db' | 'log'>): Promise<{ email: string; password: string } | null> => {
  const [state] = await rows<{ anybody: boolean; superuser: boolean }>(
    db,
    sql`select exists (select from ${users}) as anybody,
      exists (select from ${users} where role = 'superuser') as superuser`,
  )
  if (state?.superuser) return null
  if (state?.anybody) {
    await promoteOldestAdmin({ db, log })
    return null
  }

  const { email, username, password } = config.firstSuperuser
  const chosen = password ?? randomBytes(18).toString('base64url')
  // Two that start at once agree on one: the unique keys let the second insert nothing.
  const created = await rows(
    db,
    sql`with
      created as (
        insert into ${users} (username, email, password_hash, role)
        select ${username}, ${email}, ${await hashPassword(chosen)}, 'superuser'
        where not exists (select from ${users})
        on conflict do nothing
        returning id, username, role
      ),
      event as (
        ${recordEvent(
          {
            via: 'start',
            kind: 'user.create',
            targetKind: 'users',
            targetId: sql`id`,
            fields: ['username', 'email', 'role', 'password'],
            details: accountDetails({ to: 'created' }),
          },
          sql`created`,
        )}
      )
      select id from created`,
  )
  if (created.length === 0) return null
  log({ level: 'info', event: 'first_superuser_created' })
  return password === undefined ? { email, password: chosen } : null
}

const promoteOldestAdmin = async ({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> => {
  const promoted = await rows<{ id: string }>(
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
        ${recordEvent(
          {
            via: 'start',
            kind: 'user.update',
            targetKind: 'users',
            targetId: sql`promoted.id`,
            fields: ['role'],
            details: accountDetails({ from: 'oldest', to: 'promoted' }),
          },
          sql`promoted, oldest`,
        )}
      )
      select id from promoted`,
  )
  for (const { id } of promoted) log({ level: 'warn', event: 'oldest_admin_promoted', userId: id })
}
