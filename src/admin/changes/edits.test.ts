import { expect, test } from 'vitest'
import { views } from '../record/kinds/views.ts'
import type { InboxRecord } from '../record/record.ts'
import { messagePatch, statusPatch } from './edits.ts'

const answerBy = '2026-12-05'
const dueAt = '2026-12-05T23:59:59.999Z'

const owed = (status: string, more: Partial<InboxRecord> = {}) =>
  ({ status, dueAt, waitingFor: 'us', ...more }) as InboxRecord

const after = (record: InboxRecord, patch: object) => {
  const { dueAt, waitingFor } = { ...record, ...patch }
  return [dueAt, waitingFor]
}

test('an application stays owed by its day until a message tells a decision', () => {
  const view = views.applications
  const record = owed('new', { answerBy })
  for (const status of ['reviewing', 'interviewed', 'accepted'])
    expect(after(record, statusPatch(view, record, status, 'ada'))).toEqual([dueAt, 'us'])
  const untoldBy = (patch: object) => ({ ...record, ...patch }).untold
  expect(untoldBy(statusPatch(view, record, 'accepted', 'ada'))).toBe(true)
  expect(untoldBy(statusPatch(view, record, 'interviewed', 'ada'))).toBe(false)
  expect(untoldBy(messagePatch(view, record, 'rejected', 'ada'))).toBe(false)
  const replied = { ...record, dueAt: '2026-11-20T09:00:00.000Z' }
  expect(after(replied, messagePatch(view, replied, undefined, 'ada'))).toEqual([dueAt, 'us'])
  expect(after(record, messagePatch(view, record, 'rejected', 'ada'))).toEqual([null, null])
  const decided = owed('accepted', { answerBy })
  expect(after(decided, messagePatch(view, decided, undefined, 'ada'))).toEqual([null, null])
})

test('a consultation is owed nothing after a message or another status', () => {
  const view = views.consultations
  const record = owed('pending')
  expect(after(record, statusPatch(view, record, 'contacted', 'ada'))).toEqual([null, 'them'])
  expect(after(record, messagePatch(view, record, undefined, 'ada'))).toEqual([null, 'them'])
  expect(after(record, messagePatch(view, record, 'completed', 'ada'))).toEqual([null, null])
})
