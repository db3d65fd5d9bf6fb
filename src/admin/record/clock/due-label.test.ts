import { expect, test } from 'vitest'
import { answerTimeOf } from '#contract/positions.ts'
import type { InboxRecord } from '../record.ts'
import { dueLabel, initialsOf } from './due-label.ts'

const now = new Date(2026, 10, 18, 12, 0)
const at = (days: number, hours: number, minutes = 0) =>
  new Date(2026, 10, 18 + days, hours, minutes).toISOString()

const record = (more: Partial<InboxRecord>) =>
  ({
    createdAt: at(-1, 9),
    box: 'inbox',
    dueAt: null,
    lastMessageAt: null,
    snoozedUntil: null,
    withdrawnAt: null,
    ...more,
  }) as InboxRecord

const byDay = (answerBy: string): Partial<InboxRecord> => ({
  answerBy,
  dueAt: answerTimeOf(answerBy),
  waitingFor: 'us',
})

test.each<[string, Partial<InboxRecord>]>([
  ['late 25 min', { dueAt: at(0, 11, 35) }],
  ['late 3 h', { dueAt: at(0, 9) }],
  ['late 3 d', { dueAt: at(-3, 9) }],
  ['due 14:11', { dueAt: at(0, 14, 11) }],
  ['due tomorrow 14:11', { dueAt: at(1, 14, 11) }],
  ['replied 08:55', { dueAt: at(1, 8, 55), lastMessageAt: at(0, 8, 55) }],
  ['replied yesterday 20:00', { dueAt: at(0, 20), lastMessageAt: at(-1, 20) }],
  ['back Mon 09:00', { dueAt: at(-3, 9), snoozedUntil: at(5, 9) }],
  ['late 3 d', { dueAt: at(-3, 9), snoozedUntil: at(0, 9) }],
  ['withdrawn', { withdrawnAt: at(0, 9) }],
  ['by 23 Nov', byDay('2026-11-23')],
  ['late 1 d', byDay('2026-11-16')],
  ['today 09:10', { createdAt: at(0, 9, 10) }],
  ['17 Nov', {}],
])('a row says "%s"', (text, more) => {
  expect(dueLabel(record(more), now.getTime()).text).toBe(text)
})

test('an assignee is shown by two letters', () => {
  expect(['ada.sample', 'owner', 'x', 'eli_r-s'].map(initialsOf)).toEqual(['AS', 'OW', 'X', 'ER'])
})
