import type { Stage } from '#contract/inbox.ts'
import { limits } from '#contract/limits.ts'
import { isAnswerTime } from '#contract/positions.ts'
import type { Mark } from '../../components/icon.tsx'
import type { KindView } from '../kinds/kind-view.ts'
import { type InboxRecord, isSnoozed, type RecordDetail } from '../record.ts'

/** The promise of an answer within 24 hours, as it stands at a moment. */
export interface Promised {
  due: Date
  /** Hours used, never more than the promise. */
  used: number
  /** Minutes left; below zero once the promise is broken. */
  left: number
  late: boolean
}

const hourMs = 3_600_000

const promiseMs = limits.promiseHours * hourMs

/** Null where nothing is owed: nothing was promised, somebody has answered, or the record is set apart. */
export const promiseOf = ({ dueAt, box }: Pick<InboxRecord, 'dueAt' | 'box'>, now: number) => {
  if (dueAt === null || box !== 'inbox') return null
  const due = Date.parse(dueAt)
  return {
    due: new Date(due),
    used: Math.min(Math.max((promiseMs - (due - now)) / hourMs, 0), limits.promiseHours),
    left: Math.floor((due - now) / 60_000),
    late: now > due,
  }
}

/** True if the answer is owed by the end of a day, for which there is no clock. */
export const isOwedByDay = ({ answerBy, dueAt }: Pick<InboxRecord, 'answerBy' | 'dueAt'>) =>
  typeof answerBy === 'string' && dueAt !== null && isAnswerTime(dueAt)

/** True if it counts as late: a record that was set aside waits until its time. */
export const isLate = (record: InboxRecord, now: number): boolean =>
  promiseOf(record, now)?.late === true && !isSnoozed(record, now)

/** The label of a record's mark: `New`, `New, late`, `New, past 24 hours`. */
export const markLabel = (record: InboxRecord, status: string, now: number): string => {
  if (!isLate(record, now)) return status
  return `${status}, ${isOwedByDay(record) ? 'late' : `past ${limits.promiseHours} hours`}`
}

/** The mark of the record's group. */
export const markOf = (record: InboxRecord, stage: Stage, now: number): Mark => {
  if (isLate(record, now)) return 'late'
  if (record.waitingFor === 'us' && record.withdrawnAt === null)
    return isSnoozed(record, now) ? 'snoozed' : 'waiting'
  if (record.waitingFor === 'them' && record.withdrawnAt === null) return 'moving'
  return stage === 'closed' ? 'closed' : 'done'
}

type Story = Pick<RecordDetail, 'activity' | 'createdAt' | 'dueAt' | 'box'>

/** The promise as it stood when it was last answered; null where nothing was promised or an answer is owed. */
export const answeredOf = (
  { promisedIn, statuses }: Pick<KindView, 'promisedIn' | 'statuses'>,
  { activity, createdAt, dueAt, box }: Story,
): Promised | null => {
  if (dueAt !== null || box !== 'inbox') return null
  const asked = activity.findLastIndex(({ kind }) => kind === 'reply')
  if (asked < 0 && promisedIn === null) return null
  const answer = activity.slice(asked + 1).find(
    ({ kind, to, delivery }) =>
      (kind === 'message' && delivery !== 'recalled') ||
      // The stages of an application answer nothing.
      (kind === 'status' && promisedIn !== null && to !== statuses[0]?.value),
  )
  if (!answer) return null
  const due = Date.parse(activity[asked]?.at ?? createdAt) + promiseMs
  return promiseOf({ dueAt: new Date(due).toISOString(), box }, Date.parse(answer.at))
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

/** `3:12`. */
export const clockUsed = ({ used }: Promised): string => {
  const minutes = Math.round(used * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

export const sayUsed = ({ used }: Promised): string => {
  const minutes = Math.round(used * 60)
  return `${hoursAndMinutes(minutes)} of the ${limits.promiseHours}-hour promise used`
}
