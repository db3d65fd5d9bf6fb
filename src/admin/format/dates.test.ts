import { expect, test } from 'vitest'
import { dayOf, exactlyOf, longDayOf, nearTimeOf, timeOf } from './dates.ts'

const now = new Date(2026, 10, 22, 12)
const format = (options: Intl.DateTimeFormatOptions, date: Date) =>
  new Intl.DateTimeFormat('en-GB', options).format(date)

test("times of a list's rows read as the locale writes them, in every month", () => {
  for (let month = 0; month < 12; month += 1) {
    const inYear = new Date(2026, month, 3, 9, month)
    const before = new Date(2025, month, 28, 0, 59)
    const day = { day: 'numeric', month: 'short' } as const
    expect(dayOf(inYear.toISOString(), now)).toBe(format(day, inYear))
    expect(dayOf(before.toISOString(), now)).toBe(format({ ...day, year: 'numeric' }, before))
    for (const date of [inYear, before])
      expect(timeOf(date)).toBe(format({ hour: '2-digit', minute: '2-digit' }, date))
  }
})

test('times of the next days name the day of the week', () => {
  for (let days = 2; days < 7; days += 1) {
    const date = new Date(2026, 10, 22 + days, 20, 5)
    const weekday = format({ weekday: 'short' }, date)
    expect(nearTimeOf(date.toISOString(), now)).toBe(`${weekday} 20:05`)
  }
})

test('a day of the address is written out, and what is no day is left as it is', () => {
  expect(longDayOf('2026-10-29')).toBe('29 October 2026')
  expect(longDayOf('soon')).toBe('soon')
})

test('the tooltip of a calendar day names that day in every zone, and no time', () => {
  expect(exactlyOf('2026-11-24')).toBe('Tuesday 24 November 2026')
  expect(exactlyOf('2026-11-24T12:00:00Z')).toMatch(/November 2026 at \d\d:00:00 /)
})
