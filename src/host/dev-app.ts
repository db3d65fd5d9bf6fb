import { startBackground } from '#host/background.ts'
import { log } from '#host/log.ts'
import { machineWarnings } from '#host/warnings.ts'
import { createApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'
import { serverPagesIn } from '#server/pages/built-pages.ts'
import { visitsInMemory } from '#server/visits/counts.ts'

/** The API for the dev server: loaded anew after every change to the server's code. */
export function createDevApp(config: Config, { db }: Connection) {
  // The dev server renders pages by itself.
  const publicPage = async () => undefined
  const visits = visitsInMemory({ db, publicPage })
  const { deliver, stop } = startBackground({ config, db, log, visits })
  const app = createApp({
    config,
    db,
    log,
    deliver,
    publicPage,
    visits,
    // The pages of the last build, if there is one.
    page: serverPagesIn('.').page,
    warnings: machineWarnings(config),
  })
  return { fetch: app.fetch, stop }
}
