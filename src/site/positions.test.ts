import { expect, test } from 'vitest'
import { isOpen } from './positions.ts'

const span = { opens: new Date('2026-09-01'), closes: new Date('2027-06-30') }

test('a position is open from the first moment of its first day to the last of its last', () => {
  expect(isOpen(span, new Date('2026-08-31T23:59:59.999Z'))).toBe(false)
  expect(isOpen(span, new Date('2026-09-01T00:00:00Z'))).toBe(true)
  expect(isOpen(span, new Date('2027-06-30T23:59:59.999Z'))).toBe(true)
  expect(isOpen(span, new Date('2027-07-01T00:00:00Z'))).toBe(false)
})
