import { readEnvironment, run } from '#host/environment.ts'
import { readDatabaseConfig } from '#server/config.ts'
import { migrateRemote } from '#server/db/migrate.ts'

await run(async () => {
  const database = readDatabaseConfig(readEnvironment())
  if (database.kind === 'embedded') {
    throw new Error('DATABASE_URL is not set. The embedded database is migrated by `npm start`.')
  }
  for (const name of await migrateRemote(database)) console.log(`applied ${name}`)
  console.log('The database is up to date.')
})
