import type { Database } from '#server/db/database.ts'
import { countAttempt, type Limit } from '#server/db/rate-limit.ts'
import { rows } from '#server/db/rows.ts'

/**
 * Counts a call against limits of its own.
 *
 * @throws the driver's error of a full limit, see `isLimitReached`
 */
export const countHits = (db: Database, limits: readonly Limit[]): Promise<unknown> =>
  rows(db, countAttempt(limits))
