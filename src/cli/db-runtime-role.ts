import { randomBytes } from 'node:crypto'
import { readArguments } from '#cli/arguments.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { readOwnerDatabaseConfig } from '#server/config.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { makeRuntimeRole } from '#server/db/runtime-role.ts'

/** Makes the role with which the running program uses the database; see docs/deploy.md. */
await run(async () => {
  const { values } = readArguments('npm run db:runtime-role -- [--name NAME] [--new-password]', {
    options: {
      name: { type: 'string', default: 'fledge_runtime' },
      'new-password': { type: 'boolean', default: false },
    },
  })
  const { name, 'new-password': renew } = values
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(name))
    throw new Error('--name takes lower-case letters, digits and underscores.')
  const owner = readOwnerDatabaseConfig(readEnvironment())
  if (owner.kind === 'embedded') {
    throw new Error('DATABASE_URL is not set. The embedded database has no roles.')
  }
  const connection = await connectRemote(owner)
  await requireMigrated(connection).finally(() => connection.close())

  const password = randomBytes(24).toString('base64url')
  const { url, isNew } = await makeRuntimeRole(owner, { name, password, renew })
  console.log(`${name} may read and write rows, and change no tables.`)
  if (isNew || renew) console.log(`DATABASE_URL=${url}`)
  else console.log('Its password is as before; --new-password sets another.')
})
