import { randomBytes } from 'node:crypto'
import { readEnvironment, run } from '#host/environment.ts'
import { resetPassword } from '#server/auth/store.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { hashPassword } from '#server/password/hash.ts'

/** For the operator of the machine, when nobody can sign in any more. */
await run(async () => {
  const [email, ...more] = process.argv.slice(2)
  if (!email || more.length > 0) {
    throw new Error('Name one account: npm run reset-password -- E-MAIL')
  }
  const connection = await connect(readConfig(readEnvironment()))
  try {
    await requireMigrated(connection)
    const password = randomBytes(18).toString('base64url')
    const isKnown = await resetPassword(connection.db, email, await hashPassword(password))
    if (!isKnown) throw new Error(`No account has the e-mail ${email}.`)
    console.log(`New password of ${email}: ${password}`)
  } finally {
    await connection.close()
  }
})
