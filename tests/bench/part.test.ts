import { expect, test } from 'vitest'
import { atLeast, atMost, belowZero, bytes, informative, none } from './part.ts'

test('a negative or missing figure is rejected as a measuring error', () => {
  for (const figure of [-1, Number.NaN]) {
    expect(() => atMost('script', figure, 10)).toThrow(`script: ${figure} was measured`)
    expect(() => atLeast('script', figure, 0)).toThrow()
    expect(() => none('script', figure)).toThrow()
    expect(() => informative('script', [1, figure], 'for comparison')).toThrow()
  }
})

test('a negative figure in the details is found by its path', () => {
  expect(belowZero({ bare: 0, pages: [{ path: '/', bytes: 4 }, { bytes: -5_710 }] })).toEqual([
    'pages.1.bytes',
  ])
  expect(belowZero({ pages: [], note: null })).toEqual([])
})

test('a row with a target is met or missed, one without is informative', () => {
  expect(atMost('a', 2, 1).verdict).toBe('missed')
  expect(atLeast('a', 2, 1).verdict).toBe('met')
  expect(none('a', 0).verdict).toBe('met')
  expect(informative('a', [68_004], 'for comparison', bytes)).toEqual({
    what: 'a',
    figure: '68,004 B',
    target: 'for comparison',
    verdict: 'informative',
  })
})
