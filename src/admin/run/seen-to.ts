import type { ActivityEntry } from '#contract/inbox.ts'
import { isSnoozed, type RecordDetail } from '../inbox/api/record.ts'

const lastBy = (activity: readonly ActivityEntry[], ...kinds: ActivityEntry['kind'][]) =>
  activity.findLast(({ kind, delivery }) => kinds.includes(kind) && delivery !== 'recalled')

/** Why a record needs nothing any more: after its name, and whether it was this person who saw to it. */
export interface SeenTo {
  text: string
  byMe: boolean
}

/** What somebody has done since an ISO time so that a record needs nothing; null while it waits. */
export const seenTo = (
  record: RecordDetail,
  me: string,
  since: string,
  now: number,
): SeenTo | null => {
  const { box, dueAt, withdrawnAt, assignee, activity } = record
  const done = (what: string, ...kinds: ActivityEntry['kind'][]): SeenTo => {
    const by = lastBy(activity, ...kinds)?.by
    const byMe = by === me
    return { text: by ? `${what} by ${byMe ? 'you' : by}` : what, byMe }
  }
  if (box === 'trash') return done('was deleted', 'delete')
  if (box === 'spam') return done('was marked as spam', 'spam')
  if (withdrawnAt) return { text: 'was withdrawn by its sender', byMe: false }
  if (dueAt === null) return done('was answered', 'message', 'status')
  if (isSnoozed(record, now)) return done('was set aside', 'snooze')
  const assigned = lastBy(activity, 'assign')
  const isTaken = assignee !== null && assignee !== me && assigned?.by !== me
  return isTaken && assigned && assigned.at > since
    ? { text: `is with ${assignee} now`, byMe: false }
    : null
}
