import { expect, test } from 'vitest'
import { type Curve, placeOn } from './curve.ts'

test('a place on a curve is found by the share of its length', () => {
  // A straight line whose handles are not where an even pace would have them.
  const line: Curve = [0, 0, 10, 10, 10, 10, 100, 100]
  const half = placeOn(line, 0.5)
  expect(half.x).toBeCloseTo(50, 0)
  expect(half.y).toBeCloseTo(50, 0)
  expect(half.angle).toBeCloseTo(45)
  expect(placeOn(line, 0)).toMatchObject({ x: 0, y: 0 })
  expect(placeOn(line, 1).x).toBeCloseTo(100)
})
