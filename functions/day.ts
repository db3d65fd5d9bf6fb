import type { Config } from '@netlify/functions'
import { deployedDeps } from '#netlify/deployed.ts'
import { purgePages } from '#netlify/purge.ts'
import { contentRenderer } from '#netlify/renderer.ts'
import { publishDay } from '#server/content/publish.ts'

const DAY = 86_400_000

/** Publishes positions that open or close today. */
export default async (): Promise<void> => {
  const deps = await deployedDeps()
  const renderer = contentRenderer(deps.config)
  const release = renderer && (await publishDay(deps, renderer, new Date(Date.now() - DAY)))
  if (release?.state === 'live') await purgePages(deps.log)
}

export const config: Config = { schedule: '2 0 * * *' }
