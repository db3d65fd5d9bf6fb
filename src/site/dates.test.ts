import { expect, test } from 'vitest'
import { longDate, longMonth } from './dates.ts'

test('a date is formatted as its UTC day', () => {
  const day = new Date('2027-06-30T23:59:59.999Z')
  expect(longDate(day)).toBe('June 30, 2027')
  expect(longMonth('2024-04')).toBe('April 2024')
})
