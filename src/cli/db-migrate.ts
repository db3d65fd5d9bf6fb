import { readArguments } from '#cli/arguments.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { readOwnerDatabaseConfig } from '#server/config.ts'
import { migrateRemote } from '#server/db/migrate.ts'
import { connectRemote } from '#server/db/remote.ts'
import { reencrypt } from '#server/secrets/store/reencrypt.ts'

await run(async () => {
  readArguments('npm run db:migrate')
  const environment = readEnvironment()
  const database = readOwnerDatabaseConfig(environment)
  if (database.kind === 'embedded') {
    throw new Error('DATABASE_URL is not set. The embedded database is migrated by `npm start`.')
  }
  let waiting = false
  const onWait = () => {
    if (!waiting) console.log('Another session, such as a dump, holds a table: waiting for it.')
    waiting = true
  }
  for (const name of await migrateRemote(database, { onWait })) console.log(`applied ${name}`)
  console.log('The database is up to date.')
  const { AUTH_SECRET: authSecret } = environment
  if (authSecret) {
    const connection = await connectRemote(database)
    const { renewed } = await reencrypt(connection.db, authSecret).finally(() => connection.close())
    if (renewed > 0) console.log(`Encrypted again under the first key: ${renewed}.`)
  }
})
