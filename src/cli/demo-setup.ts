import { readArguments } from '#cli/arguments.ts'
import { withDatabase } from '#cli/with-database.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { setUpDemo } from '#netlify/demo.ts'
import { readDatabaseConfig } from '#server/config.ts'
import { recordProgramEvent } from '#server/db/events/record-event.ts'
import { connectRemote } from '#server/db/remote.ts'

/** Makes the database at `DATABASE_URL` a demonstration's: deletes its records, now and each night, and adds samples. */
await run(async () => {
  const { positionals } = readArguments('npm run demo-setup -- [NAME]', { words: [0, 1] })
  const config = readDatabaseConfig(readEnvironment())
  if (config.kind === 'embedded')
    throw new Error('Set DATABASE_URL to the demonstration’s database.')
  const name = new URL(config.url).pathname.slice(1)
  await withDatabase(connectRemote(config), async (db) => {
    const held = await setUpDemo(db, positionals[0] === name)
    if (held > 0)
      throw new Error(
        `The database ${name} holds ${held} records. All of them would be deleted now, and again each night. ` +
          `If that is meant: npm run demo-setup -- ${name}`,
      )
    await recordProgramEvent(db, { via: 'command', kind: 'demo_setup', counts: {} })
    console.log(
      `The database ${name} is a demonstration, filled with samples. Where DEMO=1 is set, its records are deleted each night.`,
    )
  })
})
