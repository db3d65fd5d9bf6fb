import { limits } from '#contract/limits.ts'
import type { InboxRecord } from './api/record.ts'
import type { KindView } from './kinds/kind-view.ts'

/** The promise of a first answer within 24 hours, as it stands at a moment. */
export interface Promised {
  due: Date
  /** Hours used, never more than the promise. */
  used: number
  /** Minutes left; below zero once the promise is broken. */
  left: number
  late: boolean
}

const hourMs = 3_600_000

/** Null where nothing is promised any more: somebody has answered, or the record is set apart. */
export const promiseOf = (
  { promisedIn }: Pick<KindView, 'promisedIn'>,
  record: InboxRecord,
  now: number,
): Promised | null => {
  if (record.status !== promisedIn || record.box !== 'inbox') return null
  const start = Date.parse(record.createdAt)
  const due = start + limits.promiseHours * hourMs
  const used = Math.min(Math.max((now - start) / hourMs, 0), limits.promiseHours)
  return { due: new Date(due), used, left: Math.floor((due - now) / 60_000), late: now > due }
}

/** For the ring: whole hours left, or hours past with a plus. */
export const shortLeft = ({ left, late }: Promised): string => {
  const hours = Math.abs(left) / 60
  if (late)
    return hours < 100 ? `+${Math.max(1, Math.floor(hours))}` : `+${Math.floor(hours / 24)}d`
  return String(Math.floor(hours))
}

const hoursAndMinutes = (minutes: number): string => {
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  return [
    hours > 0 ? `${hours} h` : '',
    minutes % 60 > 0 || hours === 0 ? `${minutes % 60} min` : '',
  ]
    .filter(Boolean)
    .join(' ')
}

/** `5 h 40 min left`, `2 h 5 min past the 24-hour promise`. */
export const sayLeft = ({ left, late }: Promised): string =>
  late
    ? `${hoursAndMinutes(-left)} past the ${limits.promiseHours}-hour promise`
    : `${hoursAndMinutes(left)} left`

/** `5:40`, `+2:05`. */
export const clockLeft = ({ left, late }: Promised): string => {
  const minutes = Math.abs(left)
  if (minutes >= 48 * 60) return `+${Math.floor(minutes / 1440)}d`
  return `${late ? '+' : ''}${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

export const sayUsed = ({ used }: Promised): string => {
  const minutes = Math.round(used * 60)
  return `${hoursAndMinutes(minutes)} of the ${limits.promiseHours}-hour promise used`
}
