import { join } from 'node:path'
import { readEnvironment, run } from '#host/environment.ts'
import { startHost } from '#host/host.ts'
import { log } from '#host/log.ts'
import { loadSite } from '#host/site.ts'
import { readConfig } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { requireMigrated } from '#server/db/migrate.ts'

await run(async () => {
  const config = readConfig(readEnvironment())
  const site = loadSite(join(import.meta.dirname, '../../dist'))
  const connection = await connect(config)
  await requireMigrated(connection)
  const page = async (name: string) => {
    const found = site.page(`/${name}`)
    return found && { html: found.html, csp: found.headers.get('Content-Security-Policy') ?? '' }
  }
  const deps = { config, db: connection.db, log, page }
  const host = await startHost(deps, { site, connection })

  const stop = () => {
    process.off('SIGINT', stop).off('SIGTERM', stop)
    run(async () => {
      await host.close()
      process.exit(0)
    })
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  console.log(`ready ${host.url}`)
})
