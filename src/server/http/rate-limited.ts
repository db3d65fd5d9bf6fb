import type { Database } from '#server/db/database.ts'
import { isLimitReached, type Limit, secondsUntilFree } from '#server/db/rate-limit.ts'
import { HttpError } from './http-error.ts'

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
    throw new HttpError('rate_limited', { retryAfter: await secondsUntilFree(db, limits, times) })
  }
}
