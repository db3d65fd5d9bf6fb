import { expect, test } from 'vitest'
import { countOf } from './count.ts'

test('counts are grouped as the locale groups them', () => {
  for (const n of [0, 7, 999, 1_000, 12_345, 100_000, 1_234_567])
    expect(countOf(n)).toBe(n.toLocaleString('en'))
})
