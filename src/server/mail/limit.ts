import { limits } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import { limitKey } from '#server/db/rate-limit.ts'

/** How many acknowledgements one address gets in 24 hours. */
export const acknowledgementLimit = (
  { authSecret }: Config,
  email: string,
): { key: string; max: number } => ({
  key: limitKey(authSecret, 'acknowledgement', email.toLowerCase()),
  max: limits.acknowledgementsPerDay,
})
