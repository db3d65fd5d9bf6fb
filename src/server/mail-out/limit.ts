import { limits } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import { type Limit, limitKey } from '#server/db/rate-limit.ts'

/** The limit of acknowledgements to one address in 24 hours. */
export const acknowledgements = { max: limits.acknowledgementsPerDay, windowSeconds: 86_400 }

// Text after a plus sign is the recipient's label: mail goes to the same mailbox.
const mailbox = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

export const acknowledgementLimit = (
  { authSecret }: Pick<Config, 'authSecret'>,
  email: string,
): Limit => ({
  key: limitKey(authSecret, 'acknowledgement', mailbox(email)),
  ...acknowledgements,
})
