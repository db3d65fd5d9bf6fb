import { log } from '#host/log.ts'
import { readConfig } from '#server/config.ts'
import { followLive } from '#server/content/live.ts'
import { connectRemote } from '#server/db/remote.ts'
import { withTimeLimit } from '#server/db/time-limit.ts'
import { buildId } from '#site/publish/build-id.ts'
import { packed } from './packed.ts'

/** Visitors wait no longer for the database; the pages that are packed need none. */
const FOLLOW_MS = 2_000

/**
 * Follows the live release, as `followLive`, for a function that needs the database for nothing else. Answers false
 * where it is out of reach.
 */
export const followRelease = async (
  show: Parameters<typeof followLive>[2],
  isShown?: Parameters<typeof followLive>[3],
): Promise<() => Promise<boolean>> => {
  try {
    const { database } = readConfig(process.env)
    if (database.kind === 'embedded') return async () => true
    const { db } = await connectRemote(database)
    const follow = followLive({ db, log }, { build: buildId(packed) ?? '' }, show, isShown)
    return () => withTimeLimit(FOLLOW_MS, follow).catch(() => false)
  } catch {
    return async () => true
  }
}
