import { expect, test } from 'vitest'
import { hoursText } from './coming.tsx'

test('the usual time until a booking is said in whole hours, then days', () => {
  expect([0, 0.4, 1, 1.01, 47.2, 48].map(hoursText)).toEqual([
    'an hour',
    'an hour',
    'an hour',
    '2 hours',
    '48 hours',
    '2 days',
  ])
})
