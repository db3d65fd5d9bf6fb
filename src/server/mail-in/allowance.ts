import { limits } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'
import { countWhereFree, type Limit, limitKey } from '#server/db/rate-limit.ts'

/** Limits on mail that is kept whole, and on mail that staff hear of. Nothing is refused. */

interface Incoming {
  /** The record that it belongs to; null for a new contact. */
  recordId: string | null
  /** The sender's address. */
  from: string
  isAutomatic: boolean
}

export interface Allowance {
  /** Else only the first characters are kept. */
  isWhole: boolean
  /** One of too many new contacts. */
  isFlood: boolean
  isAnnounced: boolean
}

const DAY = 86_400
const HOUR = 3_600

const limitOf = (
  { authSecret }: Pick<Config, 'authSecret'>,
  what: string,
  subject: string,
  max: number,
  windowSeconds: number,
): Limit => ({ key: limitKey(authSecret, what, subject), max, windowSeconds })

export const countMail = async (
  { db, config }: { db: Database; config: Pick<Config, 'authSecret'> },
  { recordId, from, isAutomatic }: Incoming,
): Promise<Allowance> => {
  const { mailIn } = limits
  const domain = from.split('@').at(-1)?.toLowerCase() ?? ''
  const whole = [
    limitOf(config, 'mail-in', 'all', mailIn.wholePerDay, DAY),
    ...(recordId === null
      ? []
      : [limitOf(config, 'mail-in-record', recordId, mailIn.wholePerRecordDay, DAY)]),
  ]
  const contacts =
    recordId === null && !isAutomatic
      ? [
          limitOf(config, 'mail-in-contacts', 'all', mailIn.contactsPerHour, HOUR),
          limitOf(config, 'mail-in-domain', domain, mailIn.contactsPerDomainHour, HOUR),
        ]
      : []
  const free = await countWhereFree(db, [...whole, ...contacts])
  const isFree = ({ key }: Limit) => free.has(key)
  const [isWhole, isFlood] = [whole.every(isFree), !contacts.every(isFree)]
  if (isAutomatic || (isWhole && !isFlood)) return { isWhole, isFlood, isAnnounced: !isAutomatic }
  const hourly = limitOf(
    config,
    'mail-in-told',
    isFlood ? 'flood' : (recordId ?? 'contacts'),
    1,
    HOUR,
  )
  return { isWhole, isFlood, isAnnounced: (await countWhereFree(db, [hourly])).has(hourly.key) }
}
