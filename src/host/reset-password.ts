import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { readEnvironment, run } from '#host/environment.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { rows } from '#server/db/rows.ts'
import { events } from '#server/db/schema/events.ts'
import { sessions } from '#server/db/schema/sessions.ts'
import { users } from '#server/db/schema/users.ts'
import { hashPassword } from '#server/password/hash.ts'

/** For whoever runs the machine, when nobody can sign in any more. */
await run(async () => {
  const [email, ...more] = process.argv.slice(2)
  if (!email || more.length > 0) {
    throw new Error('Name one account: npm run reset-password -- E-MAIL')
  }
  const connection = await connect(readConfig(readEnvironment()))
  try {
    await requireMigrated(connection)
    const { db } = connection
    const password = randomBytes(18).toString('base64url')
    const changed = await rows(
      db,
      sql`with
        changed as (
          update ${users} set password_hash = ${await hashPassword(password)}, updated_at = now()
          where lower(email) = lower(${email}) returning id
        ),
        ended as (delete from ${sessions} where user_id in (select id from changed)),
        event as (
          insert into ${events} (change_id, kind, target_kind, target_id, fields)
          select uuid_v7(), 'user.update', 'users', id, array['password'] from changed
        )
        select id from changed`,
    )
    if (changed.length === 0) throw new Error(`No account has the e-mail ${email}.`)
    console.log(`New password of ${email}: ${password}`)
  } finally {
    await connection.close()
  }
})
