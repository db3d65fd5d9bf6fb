import { randomBytes } from 'node:crypto'
import { readArguments } from '#cli/arguments.ts'
import { withDatabase } from '#cli/with-database.ts'
import { readEnvironment, requireDatabase, run } from '#host/environment.ts'
import { accountLimits } from '#server/auth/attempt.ts'
import { knownDevices } from '#server/auth/store/attempts.ts'
import { resetPassword } from '#server/auth/store/passwords.ts'
import { readConfig } from '#server/config.ts'
import { readLiveSite } from '#server/content/store/releases.ts'
import { connect } from '#server/db/connect.ts'
import { renderFactorRemoved, renderPasswordChanged } from '#server/mail-out/render/account.ts'
import { hashPassword } from '#server/password/hash.ts'
import { setPublished } from '#site/content.ts'

/** For the operator of the machine, when nobody can sign in any more. */
await run(async () => {
  const { values, positionals } = readArguments(
    'npm run reset-password -- E-MAIL [--remove-factors]',
    { words: 1, options: { 'remove-factors': { type: 'boolean', default: false } } },
  )
  const removeFactors = values['remove-factors']
  const [email = ''] = positionals
  const environment = readEnvironment()
  requireDatabase(environment)
  const config = readConfig(environment)
  if (config.database.kind !== 'embedded' && !environment.SITE_URL)
    console.log(`SITE_URL is not set: the mail to the account links to ${config.siteUrl}.`)
  await withDatabase(connect(config), async (db) => {
    const live = await readLiveSite(db, '')
    // The mail carries the published name of the site.
    if (live) setPublished(live.documents)
    const password = randomBytes(18).toString('base64url')
    const isKnown = await resetPassword(db, {
      email,
      newHash: await hashPassword(password),
      removeFactors,
      forget: accountLimits(config, { email, devices: await knownDevices(db, email) }),
      notices: {
        password: renderPasswordChanged(config.siteUrl),
        factors: renderFactorRemoved('all second factors', config.siteUrl),
      },
    })
    if (!isKnown) throw new Error(`No account has the e-mail ${email}.`)
    console.log(`New password of ${email}: ${password}`)
    if (removeFactors) console.log('Its passkeys, authenticator app and recovery codes are gone.')
  })
})
