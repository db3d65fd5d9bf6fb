import type { Background } from '#host/background.ts'
import { startBackground } from '#host/background.ts'
import { log } from '#host/log.ts'
import { machineWarnings } from '#host/warnings.ts'
import { createApp } from '#server/app.ts'
import type { Config } from '#server/config.ts'
import type { Connection } from '#server/db/database.ts'
import { builtPagesIn } from '#server/pages/built-pages.ts'

/** The API for the dev server: loaded anew after every change to the server's code. */
export function createDevApp(
  config: Config,
  { db }: Connection,
): { fetch: ReturnType<typeof createApp>['fetch']; stop: Background['stop'] } {
  const { deliver, scheduleDelivery, stop } = startBackground({ config, db, log })
  const app = createApp({
    config,
    db,
    log,
    deliver,
    scheduleDelivery,
    // Those of the last build, where there was one.
    page: builtPagesIn('.build/server-pages.json'),
    warnings: machineWarnings(config),
  })
  return { fetch: app.fetch, stop }
}
