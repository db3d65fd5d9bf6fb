import { limits } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/drizzle.ts'
import { countWhereFree, type Limit, limitFor, perDay, perHour } from '#server/db/rate-limit.ts'
import type { IncomingMail } from './parse.ts'
import type { Place } from './store/place.ts'

/** Limits on mail that is kept whole, and on mail that staff hear of. Nothing is refused. */

/** `isWhole`: else only the first characters are kept. `isFlood`: one of too many new contacts. */
export type Allowance = Awaited<ReturnType<typeof countMail>>

/** @param record the one that it belongs to; null for a new contact */
export const countMail = async (
  { db, config }: { db: Database; config: Pick<Config, 'authSecret'> },
  { from, isAutomatic }: IncomingMail,
  record: Place['record'],
) => {
  const { mailIn } = limits
  const recordId = record?.id ?? null
  const domain = from?.email.split('@').at(-1)?.toLowerCase() ?? ''
  const inAll = limitFor(config, 'mail-in', 'all', perDay(mailIn.wholePerDay))
  const ofRecord =
    recordId && limitFor(config, 'mail-in-record', recordId, perDay(mailIn.wholePerRecordDay))
  // Mail that is cut or set apart takes nothing from others.
  const whole = ofRecord ? [ofRecord, { ...inAll, inner: ofRecord }] : [inAll]
  const ofDomain = limitFor(config, 'mail-in-domain', domain, perHour(mailIn.contactsPerDomainHour))
  const newInAll = limitFor(config, 'mail-in-contacts', 'all', perHour(mailIn.contactsPerHour))
  const contacts =
    recordId === null && !isAutomatic ? [ofDomain, { ...newInAll, inner: ofDomain }] : []
  const free = await countWhereFree(db, [...whole, ...contacts])
  const isFree = ({ key }: Limit) => free.has(key)
  const [isWhole, isFlood] = [whole.every(isFree), !contacts.every(isFree)]
  if (isAutomatic || (isWhole && !isFlood)) return { isWhole, isFlood, isAnnounced: !isAutomatic }
  const subject = isFlood ? 'flood' : (recordId ?? 'contacts')
  const hourly = limitFor(config, 'mail-in-told', subject, perHour(1))
  return { isWhole, isFlood, isAnnounced: (await countWhereFree(db, [hourly])).has(hourly.key) }
}
