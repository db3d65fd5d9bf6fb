import { expect, test } from 'vitest'
import type { InboxRecord } from './api/record.ts'
import { clockLeft, promiseOf, sayLeft, shortLeft } from './promise.ts'

const record: InboxRecord = {
  _id: '1',
  createdAt: '2026-11-19T20:00:00.000Z',
  updatedAt: '2026-11-19T20:00:00.000Z',
  name: 'Bakery owner',
  email: 'owner@bakery.example',
  status: 'pending',
  assignee: null,
  box: 'inbox',
  spam: null,
  version: 1,
  expiresAt: null,
}

const view = { promisedIn: 'pending' }

const at = (iso: string) => {
  const promised = promiseOf(view, record, Date.parse(iso))
  if (!promised) throw new Error('nothing is promised')
  return promised
}

test('a pending consultation counts down from 24 hours', () => {
  const promised = at('2026-11-20T14:20:00Z')
  expect(promised.used).toBeCloseTo(18.33, 1)
  expect([shortLeft(promised), clockLeft(promised), sayLeft(promised)]).toEqual([
    '5',
    '5:40',
    '5 h 40 min left',
  ])
})

test('past the promise the clock is full and counts up', () => {
  const promised = at('2026-11-20T22:05:00Z')
  expect(promised).toMatchObject({ late: true, used: 24 })
  expect([shortLeft(promised), clockLeft(promised)]).toEqual(['+2', '+2:05'])
  expect(sayLeft(promised)).toBe('2 h 5 min past the 24-hour promise')
})

test('nothing is promised once somebody answered, or in spam and trash', () => {
  const now = Date.parse('2026-11-20T14:20:00Z')
  expect(promiseOf(view, { ...record, status: 'contacted' }, now)).toBeNull()
  expect(promiseOf(view, { ...record, box: 'spam' }, now)).toBeNull()
})
