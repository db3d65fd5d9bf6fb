import { expect, test } from 'vitest'
import { countScale } from './scale.ts'

test('an axis of counts has whole steps, four at most, and room for the highest bar', () => {
  expect(countScale(0)).toEqual({ top: 1, steps: [0, 1] })
  expect(countScale(4)).toEqual({ top: 4, steps: [0, 1, 2, 3, 4] })
  expect(countScale(7)).toEqual({ top: 8, steps: [0, 2, 4, 6, 8] })
  expect(countScale(41)).toEqual({ top: 60, steps: [0, 20, 40, 60] })
  for (const most of [1, 9, 10, 99, 101, 12_345]) {
    const { top, steps } = countScale(most)
    expect(top).toBeGreaterThanOrEqual(most)
    expect(steps.length).toBeLessThanOrEqual(5)
    expect(steps.every(Number.isInteger)).toBe(true)
  }
})
