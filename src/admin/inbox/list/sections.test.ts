import { expect, test } from 'vitest'
import { drawnRows, placeOfRow, rowAt, rowBelow, sectionsOf, topOf } from './sections.ts'

const sizes = { row: 44, head: 32 }
const counts = { late: 3, due: 0, open: 2, snoozed: 0, waiting: 0, done: 4 }

test('a list by due time has a head for each group that has records', () => {
  const sections = sectionsOf(counts, 9, sizes)
  expect(sections.map(({ group, from, headTop }) => [group, from, headTop])).toEqual([
    ['late', 0, 0],
    ['open', 3, 32 + 3 * 44],
    ['done', 5, 2 * 32 + 5 * 44],
  ])
  expect(sections.at(-1)?.bottom).toBe(3 * 32 + 9 * 44)
  expect(sectionsOf(null, 9, sizes)[0]?.bottom).toBe(9 * 44)
})

test('a collapsed group leaves its head, and its places give way to the next row', () => {
  const sections = sectionsOf(counts, 9, sizes, (group) => group === 'open')
  expect(drawnRows(sections)).toBe(7)
  expect(sections.at(-1)?.bottom).toBe(3 * 32 + 7 * 44)
  expect(topOf(sections, 3, 44)).toBeNull()
  expect([0, 3, 4, 5, 8].map((place) => rowAt(sections, place))).toEqual([0, 3, 3, 3, 6])
  expect([0, 2, 3, 6].map((row) => placeOfRow(sections, row))).toEqual([0, 2, 5, 8])
})

test('a position in pixels names the row there, or the first below a head', () => {
  const sections = sectionsOf(counts, 9, sizes)
  const open = 32 + 3 * 44
  expect(
    [0, 32, 32 + 44, open, open + 31, open + 32 + 44, 9_999].map((y) => rowBelow(sections, y, 44)),
  ).toEqual([0, 0, 1, 3, 3, 4, 9])
})
