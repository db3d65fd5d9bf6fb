import { expect, test } from 'vitest'
import { guessedRight, interleave, median, percentile } from './statistics.ts'

test('a percentile is one of the measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([percentile(values, 0.95), percentile(values, 1), percentile([7], 0.5)]).toEqual([
    95, 100, 7,
  ])
})

test('the median of an even number of values is between the middle two', () => {
  expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5])
})

test('a guess between two lists is right by half where they are alike, and always where they are apart', () => {
  expect(guessedRight([1, 2, 3, 4], [1, 2, 3, 4])).toBe(0.5)
  expect([guessedRight([1, 2], [3, 4]), guessedRight([3, 4], [1, 2])]).toEqual([1, 1])
  expect(guessedRight([1, 3], [2, 4])).toBe(0.75)
})

test('compared tasks alternate', async () => {
  const order: string[] = []
  const task = (name: string) => async () => order.push(name)
  expect(await interleave(2, { a: task('a'), b: task('b') })).toEqual({ a: [1, 3], b: [2, 4] })
  expect(order).toEqual(['a', 'b', 'a', 'b'])
})
