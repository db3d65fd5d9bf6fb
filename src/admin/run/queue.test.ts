import { expect, test } from 'vitest'
import { inOrder } from '../record/clock/due-order.ts'
import { runSearch } from '../record/kinds/run-kinds.ts'

const now = Date.parse('2026-11-20T09:12:00Z')
const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString()

const record = (_id: string, dueIn: number | null, snoozedFor: number | null = null) => ({
  _id,
  createdAt: at(-30),
  updatedAt: at(-30),
  name: _id,
  email: 'someone@example.test',
  status: 'pending',
  assignee: null,
  box: 'inbox' as const,
  spam: null,
  version: 1,
  expiresAt: null,
  dueAt: dueIn === null ? null : at(dueIn),
  waitingFor: 'us' as const,
  lastMessageAt: null,
  snoozedUntil: snoozedFor === null ? null : at(snoozedFor),
  seenAt: null,
  unread: false,
  withdrawnAt: null,
})

test('a run begins with what can still be kept, then goes on with what is late, newest first', () => {
  const records = [
    record('late for three days', -72),
    record('late since yesterday', -20),
    record('due in three hours', 3),
    record('due in half an hour', 0.5),
    record('due tomorrow', 20),
    record('not owed', null),
    record('set aside until noon', -5, 3),
    record('set aside until this morning', -2, -1),
  ]
  expect(inOrder(records, now).map(({ _id }) => _id)).toEqual([
    'due in half an hour',
    'due in three hours',
    'due tomorrow',
    'set aside until this morning',
    'late since yesterday',
    'late for three days',
  ])
})

test('what a run’s URL cannot mean is ignored', () => {
  expect(runSearch({ kind: 'contacts', assignee: 'ada' })).toEqual({
    kind: 'contacts',
    assignee: 'ada',
  })
  for (const assignee of ['', '\u0000', 'a'.repeat(41), '\ud800', 7])
    expect(runSearch({ kind: 'users', assignee })).toEqual({})
})
