import { expect, test } from 'vitest'
import { snoozeTimes } from './snooze-times.ts'

const offered = (now: Date) =>
  snoozeTimes(now).map(({ label, at }) => [label, at.getDay(), at.getHours(), at.getMinutes()])

test('a record can be set aside for hours or until a working day begins, by the reader’s own clock', () => {
  expect(offered(new Date(2026, 10, 20, 9, 12))).toEqual([
    ['In two hours', 5, 11, 12],
    ['This afternoon', 5, 14, 0],
    ['Tomorrow', 6, 9, 0],
    ['Monday', 1, 9, 0],
  ])
  const sunday = new Date(2026, 10, 22, 15, 0)
  expect(offered(sunday)).toEqual([
    ['In two hours', 0, 17, 0],
    ['Tomorrow', 1, 9, 0],
  ])
})
