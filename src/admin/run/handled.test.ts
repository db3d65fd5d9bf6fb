import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/inbox.ts'
import type { RecordDetail } from '../record/record.ts'
import { handledSince } from './handled.ts'

const begun = '2026-11-20T09:00:00.000Z'
const before = '2026-11-20T08:00:00.000Z'
const after = '2026-11-20T09:05:00.000Z'
const now = Date.parse('2026-11-20T09:06:00Z')

const record = (changes: Partial<RecordDetail>): RecordDetail => ({
  _id: 'a',
  createdAt: before,
  updatedAt: after,
  name: 'Priya',
  email: 'priya@example.test',
  status: 'pending',
  assignee: null,
  box: 'inbox',
  spam: null,
  version: 2,
  expiresAt: null,
  dueAt: before,
  waitingFor: 'us',
  lastMessageAt: null,
  snoozedUntil: null,
  seenAt: null,
  unread: false,
  withdrawnAt: null,
  activity: [],
  related: [],
  mail: [],
  writing: [],
  draft: null,
  drafts: [],
  proposal: null,
  ...changes,
})

const entry = (kind: ActivityEntry['kind'], at: string, name = 'eli'): ActivityEntry => ({
  _id: `${kind} ${at}`,
  at,
  by: name,
  kind,
})

const said = (changes: Partial<RecordDetail>) =>
  handledSince(record(changes), 'ada', begun, now)?.text ?? null

test('a run passes over what somebody else has answered or taken, and says who', () => {
  expect(said({})).toBeNull()
  expect(said({ dueAt: null, activity: [entry('message', after)] })).toBe('was answered by eli')
  expect(said({ dueAt: null, activity: [entry('status', after, 'ada')] })).toBe(
    'was answered by you',
  )
  const offered = [entry('message', before, 'ada'), entry('times', after)]
  expect(said({ dueAt: null, activity: offered })).toBe('was answered by eli')
  expect(said({ assignee: 'eli', activity: [entry('assign', after)] })).toBe('is with eli now')
  expect(said({ box: 'spam', activity: [entry('spam', after)] })).toBe('was marked as spam by eli')
  expect(said({ snoozedUntil: '2026-11-20T14:00:00.000Z' })).toBe('was set aside')
  expect(said({ withdrawnAt: after, dueAt: null })).toBe('was withdrawn by its sender')
  const own = record({ dueAt: null, activity: [entry('message', after, 'ada')] })
  expect(handledSince(own, 'ada', begun, now)?.byMe).toBe(true)
})

test('what a colleague had before the run began still waits', () => {
  expect(said({ assignee: 'eli', activity: [entry('assign', before)] })).toBeNull()
  expect(said({ assignee: 'eli', activity: [entry('assign', after, 'ada')] })).toBeNull()
  expect(said({ snoozedUntil: '2026-11-20T09:01:00.000Z' })).toBeNull()
})
