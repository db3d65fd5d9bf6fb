import { expect, test } from 'vitest'
import type { ActivityEntry } from '#contract/inbox.ts'
import { applicationsView } from '../kinds/applications.ts'
import { consultationsView } from '../kinds/consultations.ts'
import { answeredOf, clockLeft, promiseOf, sayLeft } from './promise.ts'

const record = { dueAt: '2026-11-20T20:00:00.000Z', box: 'inbox' } as const

const at = (iso: string) => {
  const promised = promiseOf(record, Date.parse(iso))
  if (!promised) throw new Error('nothing is promised')
  return promised
}

test('what is owed counts down from 24 hours', () => {
  const promised = at('2026-11-20T14:20:00Z')
  expect(promised.used).toBeCloseTo(18.33, 1)
  expect([clockLeft(promised), sayLeft(promised)]).toEqual(['5:40', '5 h 40 min left'])
})

test('past the promise the clock is full and counts up', () => {
  const promised = at('2026-11-20T22:05:00Z')
  expect(promised).toMatchObject({ late: true, used: 24 })
  expect(clockLeft(promised)).toBe('+2:05')
  expect(sayLeft(promised)).toBe('2 h 5 min past the 24-hour promise')
})

test('nothing is promised where nothing is owed, or in spam and trash', () => {
  const now = Date.parse('2026-11-20T14:20:00Z')
  expect(promiseOf({ ...record, dueAt: null }, now)).toBeNull()
  expect(promiseOf({ ...record, box: 'spam' }, now)).toBeNull()
})

test('after an answer the clock keeps what was used of the last promise', () => {
  const entry = (kind: ActivityEntry['kind'], at: string): ActivityEntry => ({
    _id: at,
    by: 'owner',
    kind,
    at,
  })
  const recalled = {
    ...entry('message', '2026-11-19T22:00:00.000Z'),
    delivery: 'recalled',
  } as const
  const first = entry('message', '2026-11-19T23:12:00.000Z')
  const reply = entry('reply', '2026-11-20T08:00:00.000Z')
  const second = entry('message', '2026-11-21T10:00:00.000Z')
  const answered = (...activity: ActivityEntry[]) =>
    answeredOf(consultationsView, {
      activity,
      createdAt: '2026-11-19T20:00:00.000Z',
      dueAt: null,
      box: 'inbox',
    })
  expect(answered(recalled, first)).toMatchObject({ late: false, used: 3.2 })
  expect(answered(first, reply, second)).toMatchObject({ late: true, used: 24 })
  expect(answered(first, reply)).toBeNull()
})

test('a stage of an application is no answer to a reply of its sender', () => {
  const entry = (kind: ActivityEntry['kind'], hour: number, to?: string): ActivityEntry => ({
    _id: String(hour),
    by: 'owner',
    kind,
    at: new Date(Date.UTC(2026, 10, 20, hour)).toISOString(),
    ...(to ? { to } : {}),
  })
  const story = { createdAt: '2026-11-19T20:00:00.000Z', dueAt: null, box: 'inbox' } as const
  const moved = [entry('reply', 8), entry('status', 9, 'reviewing')]
  const of = (activity: ActivityEntry[]) => answeredOf(applicationsView, { ...story, activity })
  expect(of(moved)).toBeNull()
  expect(of([...moved, entry('message', 14)])).toMatchObject({ late: false, used: 6 })
})
