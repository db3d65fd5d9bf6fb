import {
  act,
  assign,
  type OneAction,
  remove,
  setSpam,
  setStatus,
  snooze,
} from '../changes/edits.ts'
import { type KindView, nextStatus, type StatusView } from '../record/kinds/kind-view.ts'
import type { RecordDetail } from '../record/record.ts'
import { useProfile } from '../session/profile.ts'
import type { Outcome } from './run.ts'
import { finishItem } from './run-store.ts'

export interface Decision {
  /** The status after the current one; null at the last. */
  next: StatusView | null
  toNext: () => void
  toStatus: (status: string) => void
  toPerson: (username: string | null) => void
  untilLater: (until: string | null) => void
  toSpam: () => void
  toTrash: () => void
}

/** What can be decided about a record: each is saved as in the inbox, and leads to the next record. */
export const useDecision = (view: KindView, record: RecordDetail): Decision => {
  const { username } = useProfile()
  const decide = (action: OneAction, outcome: Outcome): void =>
    act(view, record, action, (made) => finishItem(record._id, outcome, made))
  const next = nextStatus(view, record.status)
  const toStatus = (status: string) =>
    decide(setStatus(view, status, username), { is: 'status', to: status })
  return {
    next,
    toNext: () => next && toStatus(next.value),
    toStatus,
    toPerson: (person) => decide(assign(person), { is: 'assigned', to: person ?? 'nobody' }),
    untilLater: (until) =>
      decide(snooze(until), { is: 'later', until: until ?? new Date().toISOString() }),
    toSpam: () => decide(setSpam(true), { is: 'spam' }),
    toTrash: () => decide(remove, { is: 'deleted' }),
  }
}
