import type { Database } from '#server/db/database.ts'
import { sql } from '#server/db/drizzle.ts'
import { accountCreated } from '#server/db/events/account-event.ts'
import { anyRow } from '#server/db/rows.ts'
import { users } from '#server/db/schema/accounts/users.ts'

/** `hash` is the password's, `days` the account's age. */
type Account = Pick<typeof users.$inferSelect, 'username' | 'email' | 'role'> & {
  hash: string
  days: number
}

/** Adds an artificial account; false where there is one of its name or e-mail address. */
export async function addAccount(db: Database, { username, email, hash, role, days }: Account) {
  return anyRow(
    db,
    sql`with
        created as (
          insert into ${users} (username, email, password_hash, role, created_at)
          values (${username}, ${email}, ${hash}, ${role}, now() - make_interval(days => ${days}))
          on conflict do nothing returning id, username, role
        ),
        event as (${accountCreated({ via: 'command' })})
        select id from created`,
  )
}
