import { limits } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import { type Limit, limitFor, perDay } from '#server/db/rate-limit.ts'

export const acknowledgements = perDay(limits.acknowledgementsPerDay)

// Text after a plus sign is the recipient's label: mail goes to the same mailbox.
const mailbox = (email: string): string => email.toLowerCase().replace(/\+[^@]*@/, '@')

export const acknowledgementLimit = (config: Pick<Config, 'authSecret'>, email: string): Limit =>
  limitFor(config, 'acknowledgement', mailbox(email), acknowledgements)
