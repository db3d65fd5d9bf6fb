import { afterEach, expect, test } from 'vitest'
import type { InboxRecord } from './api/record.ts'
import { overlays, withOverlays } from './queries.ts'
import { forgetVersions, madeVersion } from './versions.ts'

const stored: InboxRecord = {
  _id: 'a-record',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  name: 'Bakery owner',
  email: 'bread@example.test',
  status: 'pending',
  assignee: null,
  box: 'inbox',
  spam: null,
  version: 1,
  expiresAt: null,
}
const trashed: InboxRecord = { ...stored, box: 'trash', version: 2 }

const onItsWay = (before: InboxRecord, after: InboxRecord) =>
  overlays.set({}, new Map([[before._id, { before, after }]]))

afterEach(() => {
  overlays.clear()
  forgetVersions()
})

test('what is fetched while a change is on its way is shown with it, until it is stored', () => {
  onItsWay(stored, { ...stored, status: 'contacted' })
  expect(withOverlays(stored).status).toBe('contacted')
  const completed = { ...stored, status: 'completed', version: 2 }
  expect(withOverlays(completed)).toBe(completed)
})

test('a record that is taken back from the trash does not show as trashed meanwhile', () => {
  onItsWay(stored, { ...stored, box: 'trash' })
  onItsWay({ ...stored, box: 'trash' }, stored)
  expect(withOverlays(trashed).box).toBe('inbox')
  overlays.delete([...overlays.keys()][0] as object)
  madeVersion(stored._id, 2)
  expect(withOverlays(trashed).box).toBe('inbox')
})
