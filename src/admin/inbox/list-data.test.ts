import { expect, test } from 'vitest'
import type { RecordPage } from './api/endpoints.ts'
import type { InboxRecord } from './api/record.ts'
import { applyPairs, isNews, mergeHead } from './list-data.ts'
import {
  countOf,
  gapNear,
  type ListData,
  listOf,
  placeOf,
  rowAt,
  rowsOf,
  withPage,
} from './places.ts'

const record = (n: number, more: Partial<InboxRecord> = {}): InboxRecord => ({
  _id: `0190000${n}`,
  createdAt: `2026-11-0${n}T10:00:00.000Z`,
  updatedAt: `2026-11-0${n}T10:00:00.000Z`,
  name: `Person ${n}`,
  email: `person${n}@example.test`,
  status: 'pending',
  assignee: null,
  box: 'inbox',
  spam: null,
  version: 1,
  expiresAt: null,
  ...more,
})

const numbered = (place: number): InboxRecord => {
  const at = new Date(Date.parse('2026-11-20T10:00:00Z') - place * 60_000).toISOString()
  return { ...record(1), _id: `place-${String(100 - place).padStart(3, '0')}`, createdAt: at }
}

const page = (data: InboxRecord[], nextCursor: string | null = null, matching = 5): RecordPage => ({
  data,
  meta: {
    total: matching,
    matching,
    counts: { pending: matching, contacted: 0, completed: 0 },
    boxes: { inbox: matching, spam: 0, trash: 0 },
    nextCursor,
  },
})

/** Records of places in a list of a hundred, newest first, as a page of it. */
const stretch = (from: number, count: number): RecordPage => {
  const data = Array.from({ length: count }, (_, index) => numbered(from + index))
  return page(data, from + count < 100 ? `after ${from + count}` : null, 100)
}

const loaded = listOf(page([record(5), record(4), record(3), record(2), record(1)]))
/** Of a hundred, the first four and the two at place 50. */
const apart = withPage(listOf(stretch(0, 4)), 50, stretch(50, 2))

const names = (data: ListData) => rowsOf(data).map((row) => row.name)

test('a changed status shows in place and moves the figures', () => {
  const before = record(4)
  const after = applyPairs(loaded, [{ before, after: { ...before, status: 'contacted' } }], {})
  expect(names(after)).toEqual(names(loaded))
  expect(rowsOf(after)[1]?.status).toBe('contacted')
  expect(after.meta).toMatchObject({ matching: 5, counts: { pending: 4, contacted: 1 } })
})

test('a record that no longer fits the filter leaves the list, and comes back to its place', () => {
  const filter = { status: 'pending' }
  const before = record(3)
  const contacted = { ...before, status: 'contacted' }
  const without = applyPairs(loaded, [{ before, after: contacted }], filter)
  expect(names(without)).toEqual(['Person 5', 'Person 4', 'Person 2', 'Person 1'])
  expect(without.meta.matching).toBe(4)
  const again = applyPairs(without, [{ before: contacted, after: before }], filter)
  expect(names(again)).toEqual(names(loaded))
  expect(again.meta).toEqual(loaded.meta)
})

test('a deleted record goes from the inbox to the trash in the figures', () => {
  const before = record(1)
  const after = applyPairs(loaded, [{ before, after: { ...before, box: 'trash' } }], {})
  expect(after.meta).toMatchObject({ total: 4, boxes: { inbox: 4, spam: 0, trash: 1 } })
  expect(names(after)).not.toContain('Person 1')
})

test('a record beyond the loaded part is counted but not shown out of place', () => {
  const partial = listOf(page([record(5), record(4)], 'next'))
  const before = record(1, { box: 'trash' })
  const after = applyPairs(partial, [{ before, after: record(1) }], {})
  expect(names(after)).toEqual(['Person 5', 'Person 4'])
  expect(after.meta.matching).toBe(6)
})

test('new arrivals enter at their place, and what others removed leaves, but never the open record', () => {
  const head = page([record(7), record(6), record(4, { version: 2, status: 'contacted' })], 'next')
  const merged = mergeHead(loaded, head, {})
  expect(names(merged)).toEqual([
    'Person 7',
    'Person 6',
    'Person 4',
    'Person 3',
    'Person 2',
    'Person 1',
  ])
  expect(rowsOf(merged)[2]?.status).toBe('contacted')
  expect(names(mergeHead(loaded, head, {}, record(5)._id))).toContain('Person 5')
})

test('a glance that shows the same figures and the same first record is no news', () => {
  expect(isNews(loaded, page([record(5)]))).toBe(false)
  expect(isNews(loaded, page([record(6)]))).toBe(true)
  expect(isNews(loaded, page([record(5, { version: 2 })]))).toBe(true)
})

test('a jump loads the page at its place, and the scrollbar keeps its length', () => {
  const list = listOf(stretch(0, 4))
  expect(gapNear(list, { start: 60, end: 70 })).toEqual({ from: 4, cursor: 'after 4' })
  const long = listOf(page([record(5)], 'next', 100_000))
  expect(gapNear(long, { start: 60_530, end: 60_560 })).toEqual({ from: 60_500 })
  expect(countOf(apart)).toBe(100)
  expect(rowAt(apart, 51)).toEqual(numbered(51))
  expect(rowAt(apart, 30)).toBeUndefined()
  expect(gapNear(apart, { start: 0, end: 4 })).toEqual({ from: 4, cursor: 'after 4' })
  expect(gapNear(listOf(stretch(0, 100)), { start: 60, end: 100 })).toBeNull()
})

test('stretches that meet become one, and no record stands twice', () => {
  const joined = withPage(apart, 4, stretch(4, 48))
  expect(joined.stretches).toHaveLength(1)
  expect(rowsOf(joined)).toEqual(rowsOf(listOf(stretch(0, 52))))
  expect(gapNear(joined, { start: 50, end: 60 })).toEqual({ from: 52, cursor: 'after 52' })
})

test('a page that lies a little off is put where records that are known say', () => {
  const above = withPage(apart, 51, stretch(50, 5))
  expect(placeOf(above, numbered(54)._id)).toBe(54)
  const below = withPage(apart, 42, stretch(40, 12))
  expect(rowsOf(below)).toEqual([...stretch(0, 4).data, ...stretch(40, 12).data])
  expect(placeOf(below, numbered(51)._id)).toBe(53)
})

test('a list that ends sooner than its figures say is cut there', () => {
  const nothing = page([], null, 100)
  expect(countOf(withPage(apart, 60, nothing))).toBe(60)
  expect(countOf(withPage(listOf(stretch(0, 4)), 4, page([numbered(4)], null)))).toBe(5)
})

test('what comes and goes above or between moves what is loaded below, and only that', () => {
  const gone = (place: number) => {
    const before = numbered(place)
    return applyPairs(apart, [{ before, after: { ...before, box: 'trash' } }], {})
  }
  expect(placeOf(gone(2), numbered(50)._id)).toBe(49)
  expect(placeOf(gone(30), numbered(50)._id)).toBe(49)
  expect(placeOf(gone(70), numbered(50)._id)).toBe(50)
  const before = { ...numbered(30), box: 'trash' as const }
  const back = applyPairs(gone(30), [{ before, after: numbered(30) }], {})
  expect(back).toEqual(apart)
})

test('more arrivals than a page holds leave a gap above what was read, never a hole in it', () => {
  const head = page([numbered(-300), numbered(-299)], 'more', 400)
  const merged = mergeHead(apart, head, {})
  expect(placeOf(merged, numbered(0)._id)).toBe(300)
  expect(placeOf(merged, numbered(51)._id)).toBe(351)
  expect(gapNear(merged, { start: 0, end: 20 })).toEqual({ from: 2, cursor: 'more' })
})
