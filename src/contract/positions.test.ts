import { expect, test } from 'vitest'
import { openingState } from './positions.ts'

const at = (opening: Parameters<typeof openingState>[0], moment: string) =>
  openingState(opening, new Date(moment))

test('a position without dates is open or closed as it says', () => {
  expect(at({ open: true }, '2031-05-05T12:00:00Z')).toBe('open')
  expect(at({ open: false }, '2031-05-05T12:00:00Z')).toBe('closed')
})

test('a position is open from the first moment of its first day to the last of its last', () => {
  const dated = { open: true, opensAt: '2026-09-01', closesAt: '2027-06-30' }
  expect(at(dated, '2026-08-31T23:59:59.999Z')).toBe('upcoming')
  expect(at(dated, '2026-09-01T00:00:00Z')).toBe('open')
  expect(at(dated, '2027-06-30T23:59:59.999Z')).toBe('open')
  expect(at(dated, '2027-07-01T00:00:00Z')).toBe('closed')
  expect(at({ ...dated, open: false }, '2027-01-01T00:00:00Z')).toBe('closed')
})
