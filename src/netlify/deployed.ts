import type { Warning } from '#contract/stats.ts'
import { log } from '#host/log.ts'
import { createDeployedOutbox, type DeployedOutbox } from '#netlify/deployed-outbox.ts'
import { dueTimes } from '#netlify/due-times.ts'
import { serverPages } from '#netlify/server-pages.ts'
import { deployedVisits } from '#netlify/visit-counts.ts'
import { type Config, readConfig } from '#server/config.ts'
import { isMigrated } from '#server/db/migrated.ts'
import { connectRemote } from '#server/db/remote.ts'
import type { Deps } from '#server/deps.ts'
import { startRule } from '#server/password/rules.ts'
import { createWorker } from '#server/worker.ts'

/** Dependencies of a deployed function; made once in a process, kept for all its calls. */
export async function deployedDeps(): Promise<
  Deps & { outbox: DeployedOutbox; visits: ReturnType<typeof deployedVisits> }
> {
  const config = readConfig(process.env, await startRule(process.env))
  const database = remote(config)
  const { db } = await connectRemote(database)
  const outbox = createDeployedOutbox(createWorker({ config, db, log }), dueTimes(database.url))
  const { scheduleDelivery, deliver } = outbox
  const warnings = async (): Promise<Warning[]> =>
    (await isMigrated(db)) ? [] : ['migration_pending']
  const publicPage = deployedPages(config.siteUrl)
  const visits = deployedVisits(database.url, { db, publicPage, log })
  return {
    ...{ config, db, log, scheduleDelivery, deliver, warnings },
    ...{ page: serverPages, publicPage, visits, outbox },
  }
}

/** The site's pages, as the platform serves them; each is asked for once. */
function deployedPages(siteUrl: string): Deps['publicPage'] {
  const known = new Map<string, Promise<string | undefined>>()
  const read = async (path: string): Promise<string | undefined> => {
    const url = new URL(siteUrl + path)
    if (url.origin !== new URL(siteUrl).origin) return undefined
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    const isPage = response.ok && response.headers.get('Content-Type')?.startsWith('text/html')
    return isPage ? response.text() : undefined
  }
  return (path) => {
    const found = known.get(path) ?? read(path).catch(() => undefined)
    known.set(path, found)
    return found
  }
}

function remote({ database }: Config) {
  if (database.kind !== 'embedded') return database
  throw new Error('DATABASE_URL is missing: a deployed function keeps nothing of its own')
}
