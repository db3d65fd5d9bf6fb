import { waitMessage } from '#contract/http/error-messages.ts'
import type { Database } from '#server/db/drizzle.ts'
import { countHits, isLimitReached, type Limit, secondsUntilFree } from '#server/db/rate-limit.ts'
import type { Deps } from '#server/deps.ts'
import { HttpError } from './http-error.ts'
import { limitsByIp } from './ip.ts'
import type { CallRequest } from './route.ts'

/**
 * Runs a statement that counts against limits, `times` of them at most.
 *
 * @throws HttpError `rate_limited` where one of them is full
 */
export const orRateLimited = async <T>(
  db: Database,
  limits: readonly Limit[],
  run: () => Promise<T>,
  times = 1,
): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    if (!isLimitReached(error)) throw error
    const retryAfter = await secondsUntilFree(db, limits, times)
    const sentence = limits.find((limit) => limit.sentence)?.sentence
    const message = sentence && `${sentence} Please try again ${waitMessage(retryAfter)}.`
    throw new HttpError('rate_limited', { retryAfter, ...(message && { message }) })
  }
}

/**
 * Counts a call against a limit of its client.
 *
 * @throws HttpError `rate_limited`
 */
export const countByIp = async (
  { db, config }: Pick<Deps, 'db' | 'config'>,
  what: string,
  { ip }: Pick<CallRequest, 'ip'>,
  limit: Omit<Limit, 'key'>,
): Promise<void> => {
  const byIp = limitsByIp(config.authSecret, what, ip, limit)
  await orRateLimited(db, byIp, () => countHits(db, byIp))
}
