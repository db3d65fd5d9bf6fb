import type { ActivityEntry } from '#contract/inbox.ts'
import { isSnoozed, type RecordDetail } from '../record/record.ts'

const lastBy = (activity: readonly ActivityEntry[], ...kinds: ActivityEntry['kind'][]) =>
  activity.findLast(({ kind, delivery }) => kinds.includes(kind) && delivery !== 'recalled')

/** The reason that a record needs no more work. */
export interface Handled {
  /** Follows the name of the record: `was answered by eli`. */
  text: string
  byMe: boolean
}

/** Checks whether a record was handled since an ISO time; null while it still needs work. */
export const handledSince = (record: RecordDetail, me: string, since: string, now: number) => {
  const { box, dueAt, withdrawnAt, assignee, activity } = record
  const done = (what: string, ...kinds: ActivityEntry['kind'][]): Handled => {
    const by = lastBy(activity, ...kinds)?.by
    const byMe = by === me
    return { text: by ? `${what} by ${byMe ? 'you' : by}` : what, byMe }
  }
  if (box === 'trash') return done('was deleted', 'delete')
  if (box === 'spam') return done('was marked as spam', 'spam')
  if (withdrawnAt) return { text: 'was withdrawn by its sender', byMe: false }
  if (dueAt === null) return done('was answered', 'message', 'times', 'offer_sent', 'status')
  if (isSnoozed(record, now)) return done('was set aside', 'snooze')
  const assigned = lastBy(activity, 'assign')
  const isTaken = assignee !== null && assignee !== me && assigned?.by !== me
  return isTaken && assigned && assigned.at > since
    ? { text: `is with ${assignee} now`, byMe: false }
    : null
}
