import type { Config } from '@netlify/functions'
import { deployedDeps } from '#netlify/deployed.ts'
import { packed } from '#netlify/packed.ts'
import { purgePages } from '#netlify/purge.ts'
import { contentRenderer } from '#netlify/renderer.ts'
import { followLive } from '#server/content/live.ts'
import { publishDay } from '#server/content/publish.ts'
import { builtAt } from '#site/publish/build-id.ts'

/** Publishes positions that have opened or closed since the pages were drawn: a night that failed is made up. */
export default async (): Promise<void> => {
  const deps = await deployedDeps()
  const renderer = contentRenderer(deps.config)
  if (!renderer) return
  // Published while this deploy was built, a release is not drawn yet.
  await followLive(deps, renderer, () => {})()
  const release = await publishDay(deps, renderer, builtAt(packed))
  if (release?.state === 'live') await purgePages(deps.log)
}

export const config: Config = { schedule: '2 0 * * *' }
