import { type InboxRecord, isSnoozed } from '../record.ts'

const isDue = (record: InboxRecord, now: number): boolean =>
  record.dueAt !== null && record.box === 'inbox' && !isSnoozed(record, now)

const dueTime = ({ dueAt }: InboxRecord): number => Date.parse(dueAt ?? '')

/**
 * First due records, soonest first, since their promise can still be kept; then late ones, newest
 * first: a sender who has waited longest waits little longer.
 */
export const inOrder = <R extends InboxRecord>(records: readonly R[], now: number): R[] => {
  const due = records.filter((record) => isDue(record, now))
  const soon = due.filter((record) => dueTime(record) >= now)
  const late = due.filter((record) => dueTime(record) < now)
  return [
    ...soon.sort((a, b) => dueTime(a) - dueTime(b)),
    ...late.sort((a, b) => dueTime(b) - dueTime(a)),
  ]
}
