import { expect, test } from 'vitest'
import { difference } from './answers.tsx'

test('a change of shares is said in points, of which one is a point', () => {
  const part = (inTime: number) => ({ due: 100, inTime, late: 0, open: 0, share: inTime / 100 })
  expect(difference(part(51), part(50))).toBe('+1 point')
  expect(difference(part(50), part(51))).toBe('−1 point')
  expect(difference(part(50), part(50))).toBe('0 points')
  expect(difference(part(80), part(50))).toBe('+30 points')
  expect(difference({ ...part(4), share: null }, part(50))).toBe('–')
})
