import { join } from 'node:path'
import { startBackground } from '#host/background.ts'
import { openControl } from '#host/control.ts'
import { readEnvironment, run } from '#host/environment.ts'
import { startHost } from '#host/host.ts'
import { log } from '#host/log.ts'
import { prepareUsers } from '#host/prepare-users.ts'
import { loadSite } from '#host/site.ts'
import { machineWarnings } from '#host/warnings.ts'
import { within } from '#host/within.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { isEmbedded } from '#server/db/database.ts'
import { requireMigrated } from '#server/db/migrate.ts'
import { formPagesIn } from '#server/intake/form-pages.ts'
import { passwordFault } from '#server/password/rules.ts'

await run(async () => {
  const config = readConfig(readEnvironment(), { passwordRule: passwordFault })
  const site = loadSite(join(import.meta.dirname, '../../dist'))
  const connection = await connect(config)
  const control = isEmbedded(connection)
    ? await openControl(config.dataDir, connection.client)
    : undefined
  await requireMigrated(connection)
  const { db } = connection
  await prepareUsers({ config, db, log })
  const background = startBackground({ config, db, log })
  const { deliver } = background
  const page = formPagesIn(join(import.meta.dirname, '../../.build/form-pages.json'))
  const host = await startHost(
    { config, db, log, deliver, page, warnings: machineWarnings(config) },
    site,
  )
  console.log(`ready ${host.url}`)

  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    void run(async () => {
      await host.close()
      // A message whose provider takes long is left to its lease: the next start sends it again.
      await within(5_000, background.stop())
      await control?.close()
      await connection.close()
      process.exit(0)
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
})
