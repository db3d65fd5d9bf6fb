import type { Context } from '@netlify/functions'
import type { Warning } from '#contract/stats.ts'
import { log } from '#host/log.ts'
import { createDeployedOutbox } from '#netlify/deployed-outbox.ts'
import { dueTimes } from '#netlify/due-times.ts'
import { packed, serverPages } from '#netlify/packed.ts'
import { deployedVisits } from '#netlify/visit-counts.ts'
import { readConfig } from '#server/config.ts'
import { followLive } from '#server/content/live.ts'
import { isMigrated } from '#server/db/migrated.ts'
import { connectRemote } from '#server/db/remote.ts'
import type { Deps } from '#server/deps.ts'
import { foldIp } from '#server/http/ip.ts'
import type { Platform } from '#server/http/pipeline.ts'
import { SERVER_PAGES } from '#server/pages/built-pages.ts'
import { startRule } from '#server/password/rules.ts'
import { createWorker } from '#server/worker.ts'
import { buildId } from '#site/publish/build-id.ts'

const FOLLOW_MS = 10_000

/** Dependencies of a deployed function; made once in a process, kept for all its calls. */
export async function deployedDeps() {
  const config = readConfig(process.env, await startRule(process.env))
  const { database } = config
  if (database.kind === 'embedded')
    throw new Error('DATABASE_URL is missing: a deployed function keeps nothing of its own')
  const { db } = await connectRemote(database)
  const outbox = createDeployedOutbox(createWorker({ config, db, log }), dueTimes(database.url))
  const { scheduleDelivery, deliver } = outbox
  const warnings = async (): Promise<Warning[]> =>
    (await isMigrated(db)) ? [] : ['migration_pending']
  const publicPage = deployedPages(config.siteUrl)
  const follow = followLive(
    { db, log },
    { build: buildId(packed) ?? '' },
    serverPages.show,
    (file) => file === SERVER_PAGES,
  )
  let followed = 0
  const visits = deployedVisits(database.url, { db, publicPage, log })
  return {
    ...{ config, db, log, scheduleDelivery, deliver, warnings },
    page: serverPages.page,
    ...{ publicPage, visits, outbox },
    /** Takes facts and pages from the live release, not more often than every ten seconds. */
    async followContent() {
      if (Date.now() - followed < FOLLOW_MS) return
      followed = Date.now()
      await follow().catch(() => undefined)
    },
  }
}

/** The facts of a call that the API needs of Netlify. */
export const platformOf = (context: Context): Platform => ({
  ip: foldIp(context.ip) ?? 'unknown',
  afterResponse: (work) => context.waitUntil(work),
})

function deployedPages(siteUrl: string): Deps['publicPage'] {
  const read = async (path: string): Promise<string | undefined> => {
    const url = new URL(siteUrl + path)
    if (path.startsWith('//') || url.origin !== new URL(siteUrl).origin) return undefined
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(5_000) })
    const isPage = response.ok && response.headers.get('Content-Type')?.startsWith('text/html')
    return isPage ? response.text() : undefined
  }
  return (path) => read(path).catch(() => undefined)
}
