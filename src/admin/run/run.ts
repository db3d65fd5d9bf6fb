import type { KindPath } from '#contract/inbox.ts'
import type { InboxRecord } from '../record/record.ts'

/** A run through what is owed: which records in which order, and what became of each. */
export interface Run {
  /** ISO time of its beginning. */
  begunAt: string
  items: readonly RunItem[]
}

export interface RunItem {
  kind: KindPath
  id: string
  done?: Done
  /** The outcome that was taken back: it stays where the undo came too late. */
  undone?: Outcome | undefined
}

export interface Done {
  outcome: Outcome
  /** ISO time. */
  at: string
  /** The key of the change that did it, to follow what becomes of that. */
  change?: string
}

export type Outcome =
  | { is: 'replied' }
  | { is: 'status'; to: string }
  | { is: 'assigned'; to: string }
  /** Set aside until an ISO time. */
  | { is: 'later'; until: string }
  | { is: 'spam' }
  | { is: 'deleted' }
  /** Somebody else, or its sender, has seen to it meanwhile. */
  | { is: 'passed'; why: string }

type Owed = Pick<InboxRecord, '_id' | 'lastMessageAt' | 'waitingFor'> & { kind: KindPath }

/** The first record without an outcome; undefined once the run is over. */
export const currentOf = ({ items }: Run): RunItem | undefined => items.find(({ done }) => !done)

export const nextAfter = ({ items }: Run, id: string): RunItem[] =>
  items.filter((item) => !item.done && item.id !== id)

export const doneCount = ({ items }: Run): number => items.filter(({ done }) => done).length

/** Nothing has happened since that would bring the record back. */
const isSettled = (
  { outcome, at }: Done,
  { lastMessageAt, waitingFor }: Owed,
  now: Date,
): boolean => {
  // One's own reply moves the time of the last message, too.
  const isAnswered = outcome.is === 'replied' && waitingFor !== 'us'
  if (lastMessageAt !== null && lastMessageAt > at && !isAnswered) return false
  return outcome.is !== 'later' || new Date(outcome.until) > now
}

const isSameDay = (iso: string, now: Date): boolean =>
  new Date(iso).toDateString() === now.toDateString()

const itemOf = ({ kind, _id }: Owed): RunItem => ({ kind, id: _id })

/**
 * The run to go on with: the one that was left today, with what is owed now; else a new one. What
 * was done in a run that is over is not counted again.
 */
export const runFor = (left: Run | null, owed: readonly Owed[], now: Date): Run => {
  const begun = left && isSameDay(left.begunAt, now) ? left : null
  const outcomes = new Map(begun?.items.map(({ id, done }) => [id, done]))
  const open = owed.filter((record) => {
    const done = outcomes.get(record._id)
    return !done || !isSettled(done, record, now)
  })
  if (!begun || (!currentOf(begun) && open.length > 0))
    return { begunAt: now.toISOString(), items: open.map(itemOf) }
  const ids = new Set(open.map(({ _id }) => _id))
  const done = begun.items.filter((item) => item.done && !ids.has(item.id))
  return { ...begun, items: [...done, ...open.map(itemOf)] }
}

const change = (run: Run, id: string, to: (item: RunItem) => RunItem): Run => ({
  ...run,
  items: run.items.map((item) => (item.id === id ? to(item) : item)),
})

export const finish = (run: Run, id: string, done: Done): Run =>
  change(run, id, (item) => ({ ...item, done }))

/** Takes an outcome back by the key of its change: the record is to be decided again. */
export const takeBack = (run: Run, key: string): Run => {
  const item = run.items.find(({ done }) => done?.change === key)
  return item
    ? change(run, item.id, ({ kind, id, done }) => ({ kind, id, undone: done?.outcome }))
    : run
}

/** Puts a record at the end. */
export const skip = (run: Run, id: string): Run => ({
  ...run,
  items: [
    ...run.items.filter((item) => item.id !== id),
    ...run.items.filter((item) => item.id === id),
  ],
})
