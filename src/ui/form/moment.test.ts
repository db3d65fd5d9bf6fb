import { expect, test } from 'vitest'
import { dayFrom } from '#contract/fields.ts'
import { limits } from '#contract/limits.ts'
import { lastDay, localDay, momentWords } from './moment.ts'

test('a promise names weekday, day and time', () => {
  expect(momentWords(new Date(2026, 10, 21, 14, 5))).toBe('Saturday 21 Nov, 14:05')
})

test('a calendar day is in the visitor’s time zone, not in UTC', () => {
  expect(localDay(new Date(2026, 0, 5, 0, 30))).toBe('2026-01-05')
})

test('the last day offered is the last one that the server takes', () => {
  for (const now of ['2026-12-01T23:30Z', '2026-12-31T12:00+13:00', '2028-02-29T12:00Z'])
    expect(lastDay(new Date(now))).toBe(
      dayFrom(new Date(now), { years: limits.preferredDate.yearsAhead }),
    )
})
