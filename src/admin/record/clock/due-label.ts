import { limits } from '#contract/limits.ts'
import { dayOf, nearTimeOf } from '../../format/dates.ts'
import { type InboxRecord, isSnoozed } from '../record.ts'
import { isOwedByDay, promiseOf } from './promise.ts'

/** `25 min`, `3 h`, `2 d`. */
const lateness = (minutes: number): string => {
  if (minutes < 60) return `${Math.max(1, minutes)} min`
  return minutes < 1440 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

/** True if the promise began with this reply; one that was reopened owes what it owed before. */
const isPromisedFrom = (reply: string, dueAt: string): boolean =>
  Math.abs(Date.parse(dueAt) - Date.parse(reply) - limits.promiseHours * 3_600_000) < 1_000

/**
 * What a row says about time: `late 3 d`, `due tomorrow 14:11`, `replied 08:55`, `back Mon 09:00`; the
 * ISO time that this is about; and the promise, while an answer can still be given in time.
 */
export const dueLabel = (record: InboxRecord, now: number) => {
  const { snoozedUntil, dueAt, createdAt, lastMessageAt, withdrawnAt } = record
  const { answerBy, waitingFor } = record
  const today = new Date(now)
  const near = (at: string) => nearTimeOf(at, today)
  if (snoozedUntil && isSnoozed(record, now))
    return { text: `back ${near(snoozedUntil)}`, at: snoozedUntil, promised: null }
  const promised = promiseOf(record, now)
  if (!promised || dueAt === null || (isOwedByDay(record) && !promised.late)) {
    if (answerBy && !withdrawnAt && (waitingFor === 'us' || lastMessageAt === null))
      return {
        // A day is the same in every zone.
        text: `by ${dayOf(`${answerBy}T12:00`, today)}`,
        at: answerBy,
        promised,
      }
    if (withdrawnAt) return { text: 'withdrawn', at: withdrawnAt, promised }
    const day = dayOf(createdAt, today)
    const isToday = day === dayOf(today.toISOString(), today)
    return { text: isToday ? `today ${near(createdAt)}` : day, at: createdAt, promised }
  }
  if (promised.late) return { text: `late ${lateness(-promised.left)}`, at: dueAt, promised: null }
  return lastMessageAt && isPromisedFrom(lastMessageAt, dueAt)
    ? { text: `replied ${near(lastMessageAt)}`, at: lastMessageAt, promised }
    : { text: `due ${near(dueAt)}`, at: dueAt, promised }
}

/** `AS` of `ada.sample`, `OW` of `owner`. */
export const initialsOf = (username: string): string => {
  const [first = '', second] = username.split(/[._-]+/).filter(Boolean)
  return (second ? first.slice(0, 1) + second.slice(0, 1) : first.slice(0, 2)).toUpperCase()
}
