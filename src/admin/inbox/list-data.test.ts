import { expect, test } from 'vitest'
import { applyPairs, isNews, type ListData, mergeHead, metaOf, rowsOf } from './list-data.ts'
import type { InboxRecord } from './record.ts'
import type { RecordPage } from './wire.ts'

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

const page = (data: InboxRecord[], nextCursor: string | null = null): RecordPage => ({
  data,
  meta: {
    total: 5,
    matching: 5,
    counts: { pending: 5, contacted: 0, completed: 0 },
    boxes: { inbox: 5, spam: 0, trash: 0 },
    nextCursor,
  },
})

const list = (...pages: RecordPage[]): ListData => ({ pages, pageParams: [undefined] })

const loaded = list(page([record(5), record(4)], 'next'), page([record(3), record(2), record(1)]))

const names = (data: ListData) => rowsOf(data).map((row) => row.name)

test('a changed status shows in place and moves the figures', () => {
  const before = record(4)
  const after = applyPairs(loaded, [{ before, after: { ...before, status: 'contacted' } }], {})
  expect(names(after)).toEqual(names(loaded))
  expect(rowsOf(after)[1]?.status).toBe('contacted')
  expect(metaOf(after)).toMatchObject({ matching: 5, counts: { pending: 4, contacted: 1 } })
})

test('a record that no longer fits the filter leaves the list, and comes back to its place', () => {
  const filter = { status: 'pending' }
  const before = record(3)
  const contacted = { ...before, status: 'contacted' }
  const without = applyPairs(loaded, [{ before, after: contacted }], filter)
  expect(names(without)).toEqual(['Person 5', 'Person 4', 'Person 2', 'Person 1'])
  expect(metaOf(without)?.matching).toBe(4)
  const again = applyPairs(without, [{ before: contacted, after: before }], filter)
  expect(names(again)).toEqual(names(loaded))
  expect(metaOf(again)).toEqual(metaOf(loaded))
})

test('a deleted record goes from the inbox to the trash in the figures', () => {
  const before = record(1)
  const after = applyPairs(loaded, [{ before, after: { ...before, box: 'trash' } }], {})
  expect(metaOf(after)).toMatchObject({ total: 4, boxes: { inbox: 4, spam: 0, trash: 1 } })
  expect(names(after)).not.toContain('Person 1')
})

test('a record beyond the loaded part is counted but not shown out of place', () => {
  const partial = list(page([record(5), record(4)], 'next'))
  const before = record(1, { box: 'trash' })
  const after = applyPairs(partial, [{ before, after: record(1) }], {})
  expect(names(after)).toEqual(['Person 5', 'Person 4'])
  expect(metaOf(after)?.matching).toBe(6)
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
