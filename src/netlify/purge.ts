import { purgeCache } from '@netlify/functions'
import type { Deps } from '#server/deps.ts'
import { PAGES_TAG } from './packed.ts'

/** The CDN asks for every page again. */
export const purgePages = async (log: Deps['log']): Promise<void> => {
  try {
    await purgeCache({ tags: [PAGES_TAG] })
  } catch (error) {
    log({ level: 'error', event: 'purge_failed', message: String(error) })
  }
}
