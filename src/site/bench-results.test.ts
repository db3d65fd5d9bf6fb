import { expect, test } from 'vitest'
import { pageFigures } from './bench-results.ts'

const part = (pages: object[]) => ({
  measuredAt: '2026-01-01T00:00:00.000Z',
  machine: { processors: 2, processor: 'any', node: 'v24', load: 0 },
  rows: [],
  details: { pages },
})

test('a page shows what was measured of it, and nothing for the rest', () => {
  const figures = pageFigures({
    parts: {
      weights: part([{ path: '/b', document: 9_000, stylesheets: 100 }]),
      lcp: part([
        { path: '/b', ratio: 1.1 },
        { path: '/a', ratio: 1.2 },
      ]),
    },
  })
  expect(figures.map(({ path, bytes, paint }) => [path, bytes, paint])).toEqual([
    ['/a', undefined, 1.2],
    ['/b', 9_100, 1.1],
  ])
  expect(figures[1]).toMatchObject({ lighthouse: undefined, scriptBytes: undefined })
})

test('without results there are no pages', () => {
  expect(pageFigures({ parts: {} })).toEqual([])
})
