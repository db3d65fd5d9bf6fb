import { readArguments } from '#cli/arguments.ts'
import { withDatabase } from '#cli/with-database.ts'
import { readEnvironment, requireDatabase, run } from '#host/environment.ts'
import { endOtherSignIns } from '#server/auth/store/restored.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { recordProgramEvent } from '#server/db/events/record-event.ts'
import { eraseAgain, linesOf } from '#server/privacy/erase-again.ts'
import { endDevices } from '#server/push/store/devices.ts'

/** For a Postgres that was restored from a backup, once the list of erasures is complete again. */
await run(async () => {
  const { values } = readArguments('npm run erase-again -- [--restored]', {
    options: { restored: { type: 'boolean' } },
  })
  const environment = readEnvironment()
  requireDatabase(environment)
  const config = readConfig(environment)
  await withDatabase(connect(config), async (db) => {
    const again = await eraseAgain({ db, config })
    await recordProgramEvent(db, { via: 'command', kind: 'erase_again', counts: { ...again } })
    console.log(linesOf(again))
    // If the word is missing, the database may be one that was never restored, with people at work in it.
    if (values.restored) {
      const ended = await endOtherSignIns(db)
      await endDevices(db)
      console.log(`Sessions, tokens and links of accounts, all of which end: ${ended}.`)
    }
  })
})
