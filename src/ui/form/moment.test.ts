import { expect, test } from 'vitest'
import { localDay, momentWords } from './moment.ts'

test('a promise names weekday, day and time', () => {
  expect(momentWords(new Date(2026, 10, 21, 14, 5))).toBe('Saturday 21 Nov, 14:05')
})

test('a calendar day is in the visitor’s time zone, not in UTC', () => {
  expect(localDay(new Date(2026, 0, 5, 0, 30))).toBe('2026-01-05')
  expect(localDay(new Date(2026, 11, 31, 23, 30), { years: 2 })).toBe('2028-12-31')
})
